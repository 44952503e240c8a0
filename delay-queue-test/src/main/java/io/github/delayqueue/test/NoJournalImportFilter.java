package io.github.delayqueue.test;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/**
 * Leaves the auto-configuration of the journal out of tests with the kit, whatever the
 * properties say and wherever they come from.
 */
class NoJournalImportFilter implements AutoConfigurationImportFilter, EnvironmentAware {

	private static final String JOURNAL = "io.github.delayqueue.autoconfigure.DelayQueueJournalAutoConfiguration";

	private @Nullable Environment environment;

	@Override
	public void setEnvironment(Environment environment) {
		this.environment = environment;
	}

	@Override
	public boolean[] match(@Nullable String[] autoConfigurationClasses, AutoConfigurationMetadata metadata) {
		boolean kit = this.environment != null && KitContextCustomizer.hasCustomized(this.environment);
		boolean[] match = new boolean[autoConfigurationClasses.length];
		for (int i = 0; i < match.length; i++) {
			match[i] = !kit || !JOURNAL.equals(autoConfigurationClasses[i]);
		}
		return match;
	}

}
