package io.github.delayqueue.config;

import java.util.List;

import io.github.delayqueue.DelayQueueException;

/**
 * It is not clear which connection factory the delay queue is to use: there is none, or
 * there are several and none of them is primary or marked. Public for failure analysis.
 */
public class ConnectionFactoryException extends DelayQueueException {

	private static final long serialVersionUID = 1L;

	private final String[] candidates;

	ConnectionFactoryException(List<String> candidates, boolean severalPrimary) {
		super(null, null, message(candidates, severalPrimary));
		this.candidates = candidates.toArray(String[]::new);
	}

	private static String message(List<String> candidates, boolean severalPrimary) {
		if (candidates.isEmpty()) {
			return "The delay queue needs a RedisConnectionFactory, and there is no bean of that type";
		}
		return "The delay queue needs a RedisConnectionFactory, and there are " + candidates.size()
				+ " beans of that type, of which " + (severalPrimary ? "several are" : "none is") + " primary: "
				+ String.join(", ", candidates);
	}

	/** Names of the beans that could be meant; empty if there is none. */
	public List<String> getCandidates() {
		return List.of(this.candidates);
	}

}
