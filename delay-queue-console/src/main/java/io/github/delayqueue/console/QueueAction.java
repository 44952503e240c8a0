package io.github.delayqueue.console;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/** What can be done to a queue, and what each action takes. */
enum QueueAction {

	/** Nothing: who may not do anything gets no answer to it. */
	ALLOWED,

	PAUSE("group"), RESUME("group"),

	RUN_NOW("id"), RESCHEDULE("id", "delay", "at"), CANCEL("id", "group", "limit"), COPY("id"),

	REDRIVE("id", "limit", "reason", "cause", "until", "cursor", "delay", "spread"),

	DELETE("id", "state", "limit", "reason", "cause", "until", "cursor"),

	START("listener"), STOP("listener"),

	FORGET, ADOPT;

	private final Set<String> arguments;

	QueueAction(String... arguments) {
		this.arguments = Set.of(arguments);
	}

	static QueueAction of(String queue, @Nullable String text) {
		return Arrays.stream(values())
			.filter((action) -> action.toString().equals(text))
			.findFirst()
			.orElseThrow(() -> QueueRequestException.badRequest(queue, "The action must be one of: "
					+ Arrays.stream(values()).map(QueueAction::toString).collect(Collectors.joining(", "))));
	}

	Set<String> arguments() {
		return this.arguments;
	}

	/** As requests name it: {@code run-now}. */
	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
