package io.github.delayqueue.autoconfigure;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

import io.github.delayqueue.SetupException;

/**
 * Stops the start for properties that have another name now, and says which. It comes
 * before the properties are bound, and looks at environment variables and system
 * properties as well: in those Spring Boot passes over what it does not know.
 */
record RenamedProperties(Environment environment) implements BeanFactoryPostProcessor, AopInfrastructureBean {

	/** New names by old ones, below {@code delay-queue} or below the name of a queue. */
	static final Map<String, String> NAMES = names();

	private static final String PREFIX = "delay-queue.";

	private static final String QUEUES = uniform(PREFIX + "queues");

	private static Map<String, String> names() {
		Map<String, String> names = new LinkedHashMap<>();
		names.put("listener.ttr", "listener.lease-duration");
		names.put("listener.renew", "listener.auto-renew-lease");
		names.put("listener.timeout", "listener.handler-timeout");
		names.put("listener.dead-after", "listener.instance-timeout");
		names.put("listener.claim-limit", "listener.prefetch");
		return names;
	}

	/** Throws {@link SetupException} if something that is set has an old name. */
	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		if (this.environment instanceof ConfigurableEnvironment configurable) {
			Set<String> found = new LinkedHashSet<>();
			for (ConfigurationPropertySource source : ConfigurationPropertySources
				.from(configurable.getPropertySources())) {
				if (source instanceof IterableConfigurationPropertySource iterable) {
					iterable.forEach((name) -> find(name, source, found));
				}
			}
			if (!found.isEmpty()) {
				throw new SetupException(
						"Properties of the delay queue have other names now: " + String.join("; ", found),
						"Rename them. Their meaning and their values are the same.", null);
			}
		}
	}

	private static void find(ConfigurationPropertyName name, ConfigurationPropertySource source, Set<String> found) {
		String renamed = newName(name.toString());
		if (renamed != null) {
			Origin origin = Origin.from(source.getConfigurationProperty(name));
			found.add(name + ((origin != null) ? " (" + origin + ")" : "") + " is " + renamed);
		}
	}

	/**
	 * Environment variables say nothing of dashes, and have a dot for each underscore.
	 */
	private static @Nullable String newName(String name) {
		String uniform = uniform(name);
		for (Map.Entry<String, String> each : NAMES.entrySet()) {
			String old = each.getKey();
			if (uniform.equals(uniform(PREFIX + old))) {
				return PREFIX + each.getValue();
			}
			if (uniform.startsWith(QUEUES) && uniform.endsWith(uniform(old))) {
				return (name.startsWith(PREFIX) && name.endsWith(old) ? name.substring(0, name.length() - old.length())
						: PREFIX + "queues.<name>.") + each.getValue();
			}
		}
		return null;
	}

	private static String uniform(String name) {
		return name.replaceAll("[-.]", "").toLowerCase(Locale.ROOT);
	}

}
