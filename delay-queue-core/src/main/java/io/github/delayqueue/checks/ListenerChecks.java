package io.github.delayqueue.checks;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.Names;
import io.github.delayqueue.listener.ConsumerPart;
import io.github.delayqueue.listener.DelayQueueListenerEndpoint;
import io.github.delayqueue.listener.InvalidListenerException;
import io.github.delayqueue.options.QueueOptions;

/**
 * Refuses listeners of a queue that disagree on what becomes of its tasks, and warns of
 * one that can read none. For wiring.
 */
public final class ListenerChecks implements ConsumerPart {

	private static final Logger logger = LoggerFactory.getLogger(ListenerChecks.class);

	private Scope scope;

	@Override
	public void join(Scope scope) {
		this.scope = scope;
	}

	/** No error: until a task is due, the other side may write what can be read. */
	@Override
	public QueueOptions register(DelayQueueListenerEndpoint endpoint, QueueOptions options) {
		String objection = this.scope.codec().objection(endpoint.payloadType());
		if (objection != null) {
			logger.warn("{} cannot read any payload of queue '{}' as {}, and its tasks will die when they are due: {}",
					endpoint.description(), endpoint.queue(), endpoint.payloadType().getTypeName(), objection);
		}
		return options;
	}

	@Override
	public void register(DelayQueueListenerEndpoint endpoint, QueueOptions options, Consumer other) {
		String disagreement = disagreement(endpoint, options, other);
		if (disagreement != null) {
			throw new InvalidListenerException(endpoint.queue(),
					endpoint.description() + " and " + other.endpoint().description() + " listen to queue '"
							+ endpoint.queue() + "', so that either may get any of its tasks, but disagree on "
							+ disagreement,
					"Let them agree, or give each a queue of its own.", null);
		}
	}

	private static @Nullable String disagreement(DelayQueueListenerEndpoint endpoint, QueueOptions options,
			Consumer other) {
		if (!endpoint.payloadType().equals(other.endpoint().payloadType())) {
			return "the payload type (" + endpoint.payloadType().getTypeName() + " and "
					+ other.endpoint().payloadType().getTypeName() + ")";
		}
		QueueOptions others = other.options();
		if (!options.leaseDuration().equals(others.leaseDuration())) {
			return "lease duration (" + Names.printable(options.leaseDuration()) + " and "
					+ Names.printable(others.leaseDuration()) + ")";
		}
		if (!options.policy().equals(others.policy())) {
			return "retry";
		}
		return (options.maxLeaseLosses() != others.maxLeaseLosses()) ? "max-lease-losses" : null;
	}

}
