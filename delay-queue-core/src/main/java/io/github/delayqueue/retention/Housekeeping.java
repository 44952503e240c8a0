package io.github.delayqueue.retention;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.listener.ConsumerPart;
import io.github.delayqueue.store.ClaimResult;

/**
 * Tends the queues of the consumers of an application, when their claims say that it is
 * time to: beside the claims, which never wait for it. For wiring. Thread-safe.
 */
public final class Housekeeping implements ConsumerPart {

	private static final Logger logger = LoggerFactory.getLogger(Housekeeping.class);

	/** Others come to the store between two removals of old tasks. */
	private static final Duration WAIT_TO_TRIM = Duration.ofMillis(5);

	/** After what time it is tried again where no thread is left for it. */
	private static final Duration LATER = Duration.ofSeconds(1);

	/** How long the end waits for a call under way. */
	private static final Duration LAST_CALL = Duration.ofSeconds(1);

	private final Tending tending = new Tending();

	/** Sources with a call under way. */
	private final Set<String> underWay = ConcurrentHashMap.newKeySet();

	private Scope scope;

	@Override
	public void join(Scope scope) {
		this.scope = scope;
	}

	@Override
	public void claimed(Consumer consumer, String source, @Nullable ClaimResult result) {
		if (result != null && result.notes().untended()) {
			tend(consumer, source);
		}
	}

	private void tend(Consumer consumer, String source) {
		if (this.underWay.add(source) && !this.scope.threads().beside(() -> tendNow(consumer, source))) {
			this.underWay.remove(source);
			tendIn(LATER, consumer, source);
		}
	}

	private void tendNow(Consumer consumer, String source) {
		boolean more = false;
		try {
			more = this.tending.tend(this.scope.store(), this.scope.events(), consumer.endpoint().queue(), source,
					consumer.options());
		}
		finally {
			this.underWay.remove(source);
		}
		if (more) {
			tendIn(WAIT_TO_TRIM, consumer, source);
		}
	}

	private void tendIn(Duration time, Consumer consumer, String source) {
		try {
			this.scope.threads().watch().schedule(() -> {
				if (consumer.isRunning()) {
					tend(consumer, source);
				}
			}, time);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The application ends: '{}' is tended by others", source);
		}
	}

	@Override
	public void stopped(boolean empty) {
		this.scope.threads().await(this.underWay::isEmpty, LAST_CALL);
	}

}
