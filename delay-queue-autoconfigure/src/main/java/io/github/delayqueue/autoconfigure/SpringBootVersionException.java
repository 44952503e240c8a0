package io.github.delayqueue.autoconfigure;

import io.github.delayqueue.DelayQueueException;

/**
 * The dependencies of the application do not go with its version of Spring Boot.
 */
class SpringBootVersionException extends DelayQueueException {

	private static final long serialVersionUID = 1L;

	private final String problem;

	private final String action;

	SpringBootVersionException(String problem, String action) {
		super(null, null, problem + " " + action);
		this.problem = problem;
		this.action = action;
	}

	String getProblem() {
		return this.problem;
	}

	String getAction() {
		return this.action;
	}

}
