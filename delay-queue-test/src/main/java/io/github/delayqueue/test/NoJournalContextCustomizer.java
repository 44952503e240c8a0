package io.github.delayqueue.test;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Leaves out the journal: its table, and the thread that hands over what is in it, go by
 * a clock that nobody turns. Queues that have one schedule after the commit instead, so
 * what a transaction scheduled that was rolled back is not there either.
 */
final class NoJournalContextCustomizer implements ContextCustomizer {

	private static final String GENERAL = "delay-queue.journal.enabled";

	private static final String TRANSACTION = "producer.transaction";

	private static final Pattern OF_QUEUE = Pattern.compile("(delay-queue\\.queues[.\\[].+\\.)journal");

	@Override
	public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration mergedConfig) {
		ConfigurableEnvironment environment = context.getEnvironment();
		Map<String, Object> properties = new HashMap<>();
		boolean general = environment.getProperty(GENERAL, Boolean.class, false);
		if (general) {
			properties.put(GENERAL, false);
			properties.put("delay-queue." + TRANSACTION, "after-commit");
		}
		for (PropertySource<?> source : environment.getPropertySources()) {
			if (source instanceof EnumerablePropertySource<?> enumerable) {
				for (String name : enumerable.getPropertyNames()) {
					Matcher matcher = OF_QUEUE.matcher(name);
					if (matcher.matches()) {
						boolean journal = environment.getProperty(name, Boolean.class, false);
						leaveOut(properties, name, matcher.group(1) + TRANSACTION, journal, general, environment);
					}
				}
			}
		}
		if (!properties.isEmpty()) {
			environment.getPropertySources().addFirst(new MapPropertySource("delay-queue-test-no-journal", properties));
		}
	}

	private static void leaveOut(Map<String, Object> properties, String journalProperty, String transactionProperty,
			boolean journal, boolean general, ConfigurableEnvironment environment) {
		if (journal) {
			properties.put(journalProperty, false);
			properties.put(transactionProperty, "after-commit");
		}
		else if (general && !environment.containsProperty(transactionProperty)) {
			properties.put(transactionProperty, environment.getProperty("delay-queue." + TRANSACTION, "immediate"));
		}
	}

	@Override
	public boolean equals(Object other) {
		return other instanceof NoJournalContextCustomizer;
	}

	@Override
	public int hashCode() {
		return NoJournalContextCustomizer.class.hashCode();
	}

}
