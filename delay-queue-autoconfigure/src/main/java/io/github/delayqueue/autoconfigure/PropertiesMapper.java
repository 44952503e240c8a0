package io.github.delayqueue.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.github.delayqueue.InvalidOptionException;
import io.github.delayqueue.Names;
import io.github.delayqueue.autoconfigure.DelayQueueProperties.Journal;
import io.github.delayqueue.autoconfigure.DelayQueueProperties.Queue;
import io.github.delayqueue.config.DelayQueueSettings;
import io.github.delayqueue.options.Option;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.options.TransactionMode;
import io.github.delayqueue.store.TaskStore;

/** Makes the settings of the beans of properties. */
final class PropertiesMapper {

	private static final String PREFIX = "delay-queue.";

	/** Of modules that applications may leave out. */
	private static final String MIGRATION = "io.github.delayqueue.migration.MigrationRunner";

	private static final String JOURNAL = "io.github.delayqueue.journal.Journal";

	/** The bounds of what is no option of queues, nor of {@link DelayQueueSettings}. */
	private static final List<Option<?>> OTHERS = List.of(positive("health.max-lag"), positive("journal.load-interval"),
			positive("journal.horizon"), positive("migration.interval"),
			Option.number("journal.batch-size", 1, TaskStore.MAX_BATCH, null),
			Option.number("migration.batch-size", 1, TaskStore.MAX_BATCH, null));

	private PropertiesMapper() {
	}

	static DelayQueueSettings map(DelayQueueProperties properties, boolean virtualThreads) {
		validate(properties);
		DelayQueueSettings defaults = DelayQueueSettings.defaults();
		QueueOptions general = options(PREFIX, properties, DelayQueueSettings.QUEUE_OPTIONS, defaults.general());
		Map<String, QueueOptions> queues = new LinkedHashMap<>();
		properties.queues()
			.forEach((name, queue) -> queues.put(name,
					options(DelayQueueSettings.prefixOf(name), queue, DelayQueueSettings.QUEUE_OPTIONS, general)));
		QueueOptions application = options(PREFIX, properties, DelayQueueSettings.OPTIONS, defaults.application());
		return new DelayQueueSettings(application, general, queues).withVirtualThreads(virtualThreads);
	}

	/** Those that begin with the prefix, laid over the level below. */
	static QueueOptions options(String prefix, Record properties, List<Option<?>> table, QueueOptions lower) {
		Map<String, Object> values = new HashMap<>();
		collect("", properties, values);
		try {
			return DelayQueueSettings.complete(QueueOptions.read(table, (option) -> values.get(option.toString())),
					lower);
		}
		catch (InvalidOptionException ex) {
			throw new InvalidConfigurationPropertyValueException(prefix + ex.getProperty(), ex.getValue(),
					ex.getReason());
		}
	}

	private static void collect(String prefix, Record properties, Map<String, Object> values) {
		for (RecordComponent component : properties.getClass().getRecordComponents()) {
			Object value = ReflectionUtils.invokeMethod(component.getAccessor(), properties);
			String name = prefix + DataObjectPropertyName.toDashedForm(component.getName());
			if (value instanceof Record section) {
				collect(name + ".", section, values);
			}
			else if (value != null) {
				values.put(name, value);
			}
		}
	}

	private static void validate(DelayQueueProperties properties) {
		String keyPrefix = properties.keyPrefix();
		check(!keyPrefix.isBlank(), "key-prefix", keyPrefix, "it must not be blank");
		check(keyPrefix.indexOf('{') < 0 && keyPrefix.indexOf('}') < 0, "key-prefix", keyPrefix,
				"it must not contain braces, which mark the name of the queue as hash tag of a cluster");
		Duration linkAfter = properties.observation().linkAfter();
		check(!linkAfter.isNegative(), "observation.link-after", linkAfter, "it must not be negative");
		// drivers wait for a number of seconds that is not large
		Duration timeout = properties.journal().timeout();
		check(timeout.compareTo(Duration.ZERO) > 0 && timeout.compareTo(Duration.ofDays(1)) <= 0, "journal.timeout",
				timeout, "it must be longer than zero, and at most a day");
		options(PREFIX, properties, OTHERS, QueueOptions.builder().build());
		if (!ClassUtils.isPresent(JOURNAL, null)) {
			requireUnset("journal.", properties.journal());
		}
		validate(properties.journal());
		check(!properties.migration().enabled() || ClassUtils.isPresent(MIGRATION, null), "migration.enabled", true,
				"it needs the module delay-queue-migration on the class path");
		properties.queues().forEach((name, queue) -> validate(name, queue, properties.journal()));
	}

	/** What has its default has no effect. */
	private static void requireUnset(String prefix, Record journal) {
		Map<String, Object> values = new TreeMap<>();
		collect(prefix, journal, values);
		Map<String, Object> defaults = new HashMap<>();
		collect(prefix, new Binder().bindOrCreate("none", Bindable.of(journal.getClass())), defaults);
		values.entrySet().removeAll(defaults.entrySet());
		values.forEach((name, value) -> check(false, name, value,
				"it needs the module delay-queue-journal on the class path"));
	}

	private static void validate(Journal journal) {
		Duration shortest = journal.loadInterval().multipliedBy(2);
		check(journal.horizon().compareTo(shortest) >= 0, "journal.horizon", journal.horizon(),
				"it must be at least twice journal.load-interval, which is " + Names.printable(journal.loadInterval())
						+ ": tasks would come to Redis too late");
		check(journal.horizon().compareTo(Duration.ofSeconds(1)) >= 0, "journal.horizon", journal.horizon(),
				"it must be at least a second");
		check(!journal.schema().isBlank(), "journal.schema", journal.schema(),
				"it must not be blank; without a script, set journal.initialize-schema to never");
	}

	/** In general, it is no contradiction: each holds for the queues it is meant for. */
	private static void validate(String name, Queue queue, Journal journal) {
		check(Names.isQueue(name), "queues", name,
				"the name of a queue consists of 1 to 128 letters, digits, '_', '-', '.' and ':'");
		boolean journaled = (queue.journal().enabled() != null) ? queue.journal().enabled() : journal.enabled();
		if (journaled && queue.producer().transaction() == TransactionMode.AFTER_COMMIT) {
			throw new InvalidConfigurationPropertyValueException(
					DelayQueueSettings.prefixOf(name) + "producer.transaction", "after-commit",
					"the queue has a journal, and takes part in the transaction itself");
		}
	}

	private static Option<Duration> positive(String property) {
		return Option.<Duration>of(property, Duration.class, null)
			.within((value) -> value.compareTo(Duration.ZERO) > 0 && value.compareTo(QueueOptions.MAX_DURATION) <= 0,
					"longer than zero, and at most 36500 days");
	}

	private static void check(boolean valid, String name, @Nullable Object value, String reason) {
		if (!valid) {
			throw new InvalidConfigurationPropertyValueException(PREFIX + name,
					(value instanceof Duration duration) ? Names.printable(duration) : value, reason);
		}
	}

}
