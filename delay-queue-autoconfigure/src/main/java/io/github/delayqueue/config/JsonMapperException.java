package io.github.delayqueue.config;

import java.util.List;

import io.github.delayqueue.DelayQueueException;

/**
 * It is not clear which {@code JsonMapper} writes and reads payloads: there are several,
 * and none of them is primary. Public for failure analysis.
 */
public class JsonMapperException extends DelayQueueException {

	private static final long serialVersionUID = 1L;

	private final String[] candidates;

	JsonMapperException(List<String> candidates, boolean severalPrimary) {
		super(null, null,
				"There are " + candidates.size() + " beans of type JsonMapper, of which "
						+ (severalPrimary ? "several are" : "none is") + " primary: " + String.join(", ", candidates)
						+ ". It is not clear which one writes and reads payloads");
		this.candidates = candidates.toArray(String[]::new);
	}

	/** Names of the beans that could be meant, sorted. */
	public List<String> getCandidates() {
		return List.of(this.candidates);
	}

}
