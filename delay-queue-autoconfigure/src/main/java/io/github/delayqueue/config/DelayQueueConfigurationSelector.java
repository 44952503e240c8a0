package io.github.delayqueue.config;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.EnvironmentAware;
import org.springframework.context.annotation.DeferredImportSelector;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Imports the configuration after the application's own, so that the application's beans
 * are known when the conditions on ours are judged. Imports nothing where a class asks
 * for auto-configuration: that brings the delay queue along, and slices of tests, which
 * switch it off, are to have none.
 */
class DelayQueueConfigurationSelector implements DeferredImportSelector, BeanFactoryAware, EnvironmentAware {

	private static final String AUTO_CONFIGURATION = "io.github.delayqueue.autoconfigure.DelayQueueAutoConfiguration";

	private static final String ENABLE = EnableAutoConfiguration.class.getName();

	private @Nullable ConfigurableListableBeanFactory beanFactory;

	private @Nullable Environment environment;

	@Override
	public void setBeanFactory(BeanFactory beanFactory) {
		this.beanFactory = (ConfigurableListableBeanFactory) beanFactory;
	}

	@Override
	public void setEnvironment(Environment environment) {
		this.environment = environment;
	}

	@Override
	public String[] selectImports(AnnotationMetadata importingClassMetadata) {
		return isAutoConfigured(importingClassMetadata) ? new String[0]
				: new String[] { DelayQueueConfiguration.class.getName() };
	}

	private boolean isAutoConfigured(AnnotationMetadata importing) {
		ConfigurableListableBeanFactory beans = Objects.requireNonNull(this.beanFactory, "not set");
		Stream<AnnotationMetadata> others = Stream.of(beans.getBeanDefinitionNames())
			.map(beans::getBeanDefinition)
			.filter(AnnotatedBeanDefinition.class::isInstance)
			.map((bean) -> ((AnnotatedBeanDefinition) bean).getMetadata());
		return Stream.concat(Stream.of(importing), others)
			.anyMatch((each) -> each.isAnnotated(ENABLE) && !excludes(each)) && !isExcludedByProperty();
	}

	private static boolean excludes(AnnotationMetadata metadata) {
		Map<String, @Nullable Object> attributes = Objects
			.requireNonNull(metadata.getAnnotationAttributes(ENABLE, true));
		return Stream.of("exclude", "excludeName")
			.flatMap((name) -> Arrays.stream((String[]) Objects.requireNonNull(attributes.get(name))))
			.anyMatch(AUTO_CONFIGURATION::equals);
	}

	private boolean isExcludedByProperty() {
		String[] excluded = Binder.get(Objects.requireNonNull(this.environment, "not set"))
			.bind("spring.autoconfigure.exclude", String[].class)
			.orElse(new String[0]);
		return Arrays.asList(excluded).contains(AUTO_CONFIGURATION);
	}

}
