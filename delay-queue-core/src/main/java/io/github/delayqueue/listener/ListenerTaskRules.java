package io.github.delayqueue.listener;

import java.lang.reflect.Type;

import io.github.delayqueue.Names;

/**
 * What a listener with a recurring task of its own has to be like.
 */
final class ListenerTaskRules {

	private ListenerTaskRules() {
	}

	static void check(DelayQueueListenerEndpoint endpoint) {
		if (endpoint.options().recurrence() == null) {
			return;
		}
		String objection = Names.objectionToTaskId(endpoint.id());
		if (objection != null) {
			throw invalid(endpoint, "has a recurring task of its own, and an id that " + objection,
					"Give it another id: it is that of the task.");
		}
		Type type = endpoint.payloadType();
		if (type != Object.class && type != String.class && type != CharSequence.class) {
			throw invalid(endpoint,
					"has a recurring task of its own, which has no payload, but takes one of type "
							+ type.getTypeName(),
					"Remove the parameter, or schedule the task in code: TaskRequest.queue(...).payload(...)"
							+ " with every(...) or cron(...).");
		}
	}

	/** A handler must not be called for the task of another. */
	static void check(DelayQueueListenerEndpoint endpoint, DelayQueueListenerEndpoint other) {
		boolean recurring = endpoint.options().recurrence() != null || other.options().recurrence() != null;
		if (recurring && !endpoint.description().equals(other.description())) {
			throw invalid(endpoint,
					"and " + other.description() + " listen to queue '" + endpoint.queue()
							+ "', so that either may get the recurring task of the other",
					"Give each a queue of its own.");
		}
	}

	private static InvalidListenerException invalid(DelayQueueListenerEndpoint endpoint, String problem,
			String action) {
		return new InvalidListenerException(endpoint.queue(), endpoint.description() + " " + problem, action, null);
	}

}
