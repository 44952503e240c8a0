package io.github.delayqueue.annotation;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.util.ObjectUtils;
import org.springframework.util.StringUtils;

import io.github.delayqueue.InvalidOptionException;
import io.github.delayqueue.Names;
import io.github.delayqueue.Recurrence;
import io.github.delayqueue.Recurrence.OnMissed;
import io.github.delayqueue.options.Option;
import io.github.delayqueue.options.QueueOptions;

/** From an annotation to options. */
record AttributeMapper(ListenerMethod method, DelayQueueListener annotation, AttributeReader reader) {

	/** What is named twice, in two properties say, is one queue. */
	Set<String> queues() {
		Set<String> queues = new LinkedHashSet<>(this.reader.values("queue", this.annotation.queue(), String.class));
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
		return this.reader.value("id", this.annotation.id(), String.class);
	}

	/** The options, of those that there are. */
	QueueOptions options(List<Option<?>> options) {
		Map<String, Object> attributes = AnnotationUtils.getAnnotationAttributes(this.annotation);
		try {
			return QueueOptions.read(options, (option) -> {
				String attribute = attribute(option.toString());
				return read(attribute, attributes.get(attribute), option.type());
			});
		}
		catch (InvalidOptionException ex) {
			throw this.reader.refuse(attribute(ex.getProperty()), ex);
		}
	}

	private @Nullable Object read(String attribute, @Nullable Object written, Class<?> type) {
		if (written instanceof String text) {
			return this.reader.value(attribute, text, type);
		}
		List<?> several = (written instanceof String[] texts) ? this.reader.values(attribute, texts, Duration.class)
				: List.of(ObjectUtils.toObjectArray(written));
		return several.isEmpty() ? null : several;
	}

	/** How an option is set that properties call so. */
	private static String attribute(String property) {
		String name = InvalidOptionException.nameOf(property);
		boolean delay = property.startsWith("retry.") && !name.equals("maxAttempts");
		return delay ? "retry" + StringUtils.capitalize(name) : name;
	}

	@Nullable Recurrence recurrence() {
		Duration every = this.reader.value("every", this.annotation.every(), Duration.class);
		String cron = cron();
		String zone = this.reader.value("zone", this.annotation.zone(), String.class);
		OnMissed onMissed = this.reader.value("onMissed", this.annotation.onMissed(), OnMissed.class);
		// what is written and empty has been switched off, and leaves the others behind
		boolean cronWritten = !this.annotation.cron().isEmpty();
		boolean written = cronWritten || !this.annotation.every().isEmpty();
		if ((zone != null && !cronWritten) || (onMissed != null && !written)) {
			throw this.method.invalid("has 'zone' without 'cron', or 'onMissed' without 'every' and 'cron'",
					"Set 'every' or 'cron', or remove it: periods have no zone.");
		}
		if (every != null && cron != null) {
			throw this.method.invalid("has both 'every' and 'cron'",
					"Keep one of them, or repeat the annotation " + "with an 'id' each.");
		}
		if (every == null && cron == null) {
			return null;
		}
		if (cron != null && zone == null) {
			throw this.method.invalid("has 'cron' without the zone of its times",
					"Name it in the attribute 'zone', as Europe/Berlin or UTC.");
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
		String cron = this.reader.value("cron", this.annotation.cron(), String.class);
		return Scheduled.CRON_DISABLED.equals(cron) ? null : cron;
	}

}
