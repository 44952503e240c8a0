package io.github.delayqueue.autoconfigure;

import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.Environment;

import io.github.delayqueue.SetupException;

/**
 * Stops the start for properties that have another name now, and says which. It comes
 * before the properties are bound, and looks at environment variables and system
 * properties as well: in those Spring Boot passes over what it does not know.
 */
record RenamedProperties(Environment environment) implements BeanFactoryPostProcessor, AopInfrastructureBean {

	/** New names by old ones, below {@code delay-queue} or below the name of a queue. */
	static final Map<String, String> NAMES = Map.of("listener.ttr", "listener.lease-duration", "listener.renew",
			"listener.auto-renew-lease", "listener.timeout", "listener.handler-timeout", "listener.dead-after",
			"listener.instance-timeout", "listener.claim-limit", "listener.prefetch");

	private static final String PREFIX = "delay-queue.";

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		Set<String> found = new LinkedHashSet<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				iterable.forEach((name) -> NAMES.forEach((old, renamed) -> {
					String newName = newName(name.toString(), old, renamed);
					if (newName != null) {
						Origin origin = Origin.from(source.getConfigurationProperty(name));
						found.add(name + DelayQueueFailureAnalyzer.place(origin) + " is " + newName);
					}
				}));
			}
		}
		if (!found.isEmpty()) {
			throw new SetupException("Properties of the delay queue have other names now: " + String.join("; ", found),
					"Rename them. Their meaning and their values are the same.", null);
		}
	}

	/** Environment variables know no dashes, and have a dot for each underscore. */
	private static @Nullable String newName(String name, String old, String renamed) {
		String uniform = uniform(name);
		if (uniform.equals(uniform(PREFIX + old))) {
			return PREFIX + renamed;
		}
		if (!uniform.startsWith("delayqueuequeues") || !uniform.endsWith(uniform(old))) {
			return null;
		}
		return (name.startsWith(PREFIX) && name.endsWith(old) ? name.substring(0, name.length() - old.length())
				: PREFIX + "queues.<name>.") + renamed;
	}

	private static String uniform(String name) {
		return name.replaceAll("[-.]", "").toLowerCase(Locale.ROOT);
	}

}
