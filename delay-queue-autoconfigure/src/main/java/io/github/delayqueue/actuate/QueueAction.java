package io.github.delayqueue.actuate;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * What can be done to a queue, and what each action takes.
 */
enum QueueAction {

	PAUSE("pause"), RESUME("resume"),

	RUN_NOW("run-now", "id"), RESCHEDULE("reschedule", "id", "delay", "at"), CANCEL("cancel", "id"),

	REDRIVE("redrive", "id", "limit", "reason", "cause", "until", "cursor", "delay", "spread"),

	PURGE("purge", "state", "limit", "reason", "cause", "until", "cursor"), DELETE("delete", "id"),

	START("start", "listener", "instance"), STOP("stop", "listener", "instance"),

	REPAIR("repair", "cursor", "limit"), FORGET("forget");

	private final String text;

	private final Set<String> arguments;

	QueueAction(String text, String... arguments) {
		this.text = text;
		this.arguments = Set.of(arguments);
	}

	static QueueAction of(String queue, @Nullable String text) {
		return Arrays.stream(values())
			.filter((action) -> action.text.equals(text))
			.findFirst()
			.orElseThrow(() -> QueueRequestException.badRequest(queue, "The action has to be one of: "
					+ Arrays.stream(values()).map(QueueAction::toString).collect(Collectors.joining(", "))));
	}

	Set<String> arguments() {
		return this.arguments;
	}

	@Override
	public String toString() {
		return this.text;
	}

}
