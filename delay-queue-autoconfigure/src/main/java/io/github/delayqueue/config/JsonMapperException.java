package io.github.delayqueue.config;

import java.util.List;

import io.github.delayqueue.DelayQueueException;

/**
 * It is not clear which {@code JsonMapper}, on Spring Boot 3 {@code ObjectMapper}, writes
 * and reads payloads: there are several, and none of them is primary. Public for failure
 * analysis.
 */
public class JsonMapperException extends DelayQueueException {

	private static final long serialVersionUID = 1L;

	private final String type;

	private final String[] candidates;

	JsonMapperException(String type, List<String> candidates, boolean severalPrimary) {
		super(null, null,
				"There are " + candidates.size() + " beans of type " + type + ", of which "
						+ (severalPrimary ? "several are" : "none is") + " primary: " + String.join(", ", candidates)
						+ ". It is not clear which one writes and reads payloads");
		this.type = type;
		this.candidates = candidates.toArray(String[]::new);
	}

	/** Simple name of the type of the beans. */
	public String getType() {
		return this.type;
	}

	/** Names of the beans that could be meant, sorted. */
	public List<String> getCandidates() {
		return List.of(this.candidates);
	}

}
