package io.github.delayqueue.config;

import java.util.Arrays;
import java.util.stream.Stream;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.DeferredImportSelector;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Imports the configuration after the application's own, so that the application's beans
 * are known when the conditions on ours are judged. Imports nothing where a class asks
 * for auto-configuration: that brings the delay queue along, and slices of tests, which
 * switch it off, are to have none.
 */
class DelayQueueConfigurationSelector implements DeferredImportSelector {

	private static final String AUTO_CONFIGURATION = "io.github.delayqueue.autoconfigure.DelayQueueAutoConfiguration";

	private final ConfigurableListableBeanFactory beans;

	private final Environment environment;

	DelayQueueConfigurationSelector(BeanFactory beans, Environment environment) {
		this.beans = (ConfigurableListableBeanFactory) beans;
		this.environment = environment;
	}

	@Override
	public String[] selectImports(AnnotationMetadata importingClassMetadata) {
		return isAutoConfigured(importingClassMetadata) ? new String[0]
				: new String[] { DelayQueueConfiguration.class.getName(), JournalConfiguration.class.getName() };
	}

	private boolean isAutoConfigured(AnnotationMetadata importing) {
		Stream<AnnotationMetadata> others = Stream.of(this.beans.getBeanDefinitionNames())
			.map(this.beans::getBeanDefinition)
			.filter(AnnotatedBeanDefinition.class::isInstance)
			.map((bean) -> ((AnnotatedBeanDefinition) bean).getMetadata());
		return Stream.concat(Stream.of(importing), others).anyMatch(DelayQueueConfigurationSelector::isEnabledBy)
				&& !isExcludedByProperty();
	}

	private static boolean isEnabledBy(AnnotationMetadata metadata) {
		MergedAnnotation<EnableAutoConfiguration> enabled = metadata.getAnnotations()
			.get(EnableAutoConfiguration.class);
		return enabled.isPresent() && Stream.of("exclude", "excludeName")
			.flatMap((name) -> Arrays.stream(enabled.getStringArray(name)))
			.noneMatch(AUTO_CONFIGURATION::equals);
	}

	private boolean isExcludedByProperty() {
		String[] excluded = Binder.get(this.environment)
			.bind("spring.autoconfigure.exclude", String[].class)
			.orElse(new String[0]);
		return Arrays.asList(excluded).contains(AUTO_CONFIGURATION);
	}

}
