package io.github.delayqueue.test;

import java.util.Set;
import java.util.stream.Stream;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.annotation.DeterminableImports;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.DeferredImportSelector;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Auto-configures the delay queue where no class of the context asks for
 * auto-configuration. Where one does, it brings the delay queue along with everything
 * else, in the right order. Decides last, when all those classes are known.
 */
@Order
class SliceImportSelector implements DeferredImportSelector, DeterminableImports, BeanFactoryAware {

	private static final String SLICE = SliceConfiguration.class.getName();

	private ConfigurableListableBeanFactory beanFactory;

	@Override
	public void setBeanFactory(BeanFactory beanFactory) {
		this.beanFactory = (ConfigurableListableBeanFactory) beanFactory;
	}

	@Override
	public String[] selectImports(AnnotationMetadata importingClassMetadata) {
		return (isOn(this.beanFactory) && isAutoConfigured(this.beanFactory)) ? new String[0] : new String[] { SLICE };
	}

	/** The slices of Spring Boot switch it off. */
	private static boolean isOn(BeanFactory beans) {
		return beans.getBean(ConfigurableApplicationContext.ENVIRONMENT_BEAN_NAME, Environment.class)
			.getProperty(EnableAutoConfiguration.ENABLED_OVERRIDE_PROPERTY, Boolean.class, true);
	}

	private static boolean isAutoConfigured(ConfigurableListableBeanFactory beans) {
		return Stream.of(beans.getBeanDefinitionNames())
			.map(beans::getBeanDefinition)
			.anyMatch((bean) -> bean instanceof AnnotatedBeanDefinition definition
					&& definition.getMetadata().isAnnotated(EnableAutoConfiguration.class.getName()));
	}

	/** The same for all tests whose classes are the same. */
	@Override
	public Set<Object> determineImports(AnnotationMetadata metadata) {
		return Set.of(SLICE);
	}

}
