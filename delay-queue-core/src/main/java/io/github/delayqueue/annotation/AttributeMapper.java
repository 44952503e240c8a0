package io.github.delayqueue.annotation;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.util.StringUtils;

import io.github.delayqueue.InvalidOptionException;
import io.github.delayqueue.Names;
import io.github.delayqueue.Recurrence;
import io.github.delayqueue.Recurrence.OnMissed;
import io.github.delayqueue.listener.ListenerOptions;
import io.github.delayqueue.retry.RetryOptions;

/** From an annotation to options. */
record AttributeMapper(ListenerMethod method, DelayQueueListener annotation, AttributeReader reader) {

	/** What is named twice, in two properties say, is one queue. */
	Set<String> queues() {
		Set<String> queues = new LinkedHashSet<>(this.reader.texts("queue", this.annotation.queue()));
		if (queues.isEmpty()) {
			throw this.method.invalid("names no queue", "Name it in the attribute 'queue'.");
		}
		for (String queue : queues) {
			if (!Names.isQueue(queue)) {
				throw this.method.invalid("has queue = '" + queue + "', which is not allowed as a name",
						"Let each name in the attribute 'queue' be 1 to 128 letters, digits, '_', '-', '.' and ':'; "
								+ "separate several by commas.");
			}
			if (this.annotation.deadLetters() && !Names.isQueue(Names.deadLettersOf(queue))) {
				throw this.method.invalid(
						"handles the dead letters of queue '" + queue + "', whose name is too long for that: those of '"
								+ Names.deadLettersOf(queue) + "' are at most 128 characters long",
						"Give the queue a shorter name.");
			}
		}
		return queues;
	}

	@Nullable String id() {
		return this.reader.text("id", this.annotation.id());
	}

	@Nullable Integer batchSize() {
		return this.reader.number("batchSize", this.annotation.batchSize());
	}

	ListenerOptions.Builder options(@Nullable Integer batchSize) {
		try {
			return ListenerOptions.builder()
				.batchSize(batchSize)
				.concurrency(this.reader.number("concurrency", this.annotation.concurrency()))
				.ttr(this.reader.duration("ttr", this.annotation.ttr()))
				.renew(this.reader.flag("renew", this.annotation.renew()))
				.timeout(this.reader.duration("timeout", this.annotation.timeout()))
				.autoStartup(this.reader.flag("autoStartup", this.annotation.autoStartup()))
				.retry(retry())
				.noRetryFor(List.of(this.annotation.noRetryFor()))
				.recurrence(recurrence());
		}
		catch (InvalidOptionException ex) {
			throw this.reader.refuse(attribute(ex), ex);
		}
	}

	private static String attribute(InvalidOptionException ex) {
		boolean delay = ex.getProperty().startsWith("retry.") && !ex.getName().equals("maxAttempts");
		return delay ? "retry" + StringUtils.capitalize(ex.getName()) : ex.getName();
	}

	private @Nullable Recurrence recurrence() {
		Duration every = this.reader.duration("every", this.annotation.every());
		String cron = cron();
		String zone = this.reader.text("zone", this.annotation.zone());
		OnMissed onMissed = this.reader.onMissed("onMissed", this.annotation.onMissed());
		// what is written and empty has been switched off, and leaves the others behind
		boolean cronWritten = !this.annotation.cron().isEmpty();
		if (every == null && cron == null) {
			boolean written = cronWritten || !this.annotation.every().isEmpty();
			if (!written && (zone != null || onMissed != null)) {
				throw this.method.invalid("has 'zone' or 'onMissed', but neither 'every' nor 'cron'",
						"Set 'every' or 'cron', or remove them.");
			}
			return null;
		}
		if (every != null && cron != null) {
			throw this.method.invalid("has both 'every' and 'cron'",
					"Keep one of them, or repeat the annotation " + "with an 'id' each.");
		}
		if ((cron != null) ? zone == null : zone != null && !cronWritten) {
			throw this.method.invalid(
					(cron != null) ? "has 'cron' without the zone of its times" : "has a 'zone' without 'cron'",
					(cron != null) ? "Name it in the attribute 'zone', as Europe/Berlin or UTC."
							: "Remove the attribute 'zone': periods have none.");
		}
		try {
			Recurrence recurrence = (every != null) ? Recurrence.every(every)
					: Recurrence.cron(Objects.requireNonNull(cron), Objects.requireNonNull(zone));
			return (onMissed != null) ? recurrence.onMissed(onMissed) : recurrence;
		}
		catch (IllegalArgumentException ex) {
			throw this.method.invalid("has a recurrence that is not possible: " + ex.getMessage(),
					"Correct the attribute.", ex);
		}
	}

	private @Nullable String cron() {
		String cron = this.reader.text("cron", this.annotation.cron());
		return Scheduled.CRON_DISABLED.equals(cron) ? null : cron;
	}

	private RetryOptions retry() {
		return new RetryOptions(this.reader.number("maxAttempts", this.annotation.maxAttempts()),
				this.reader.duration("retryDelay", this.annotation.retryDelay()),
				this.reader.decimal("retryMultiplier", this.annotation.retryMultiplier()),
				this.reader.duration("retryIncrement", this.annotation.retryIncrement()),
				this.reader.duration("retryMaxDelay", this.annotation.retryMaxDelay()),
				this.reader.decimal("retryJitter", this.annotation.retryJitter()),
				this.reader.durations("retryDelays", this.annotation.retryDelays()),
				this.reader.duration("retryDelayAfterFalse", this.annotation.retryDelayAfterFalse()));
	}

}
