package io.github.delayqueue.test;

import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.annotation.DeterminableImports;
import org.springframework.context.EnvironmentAware;
import org.springframework.context.annotation.DeferredImportSelector;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Auto-configures the delay queue where no class of the context asks for
 * auto-configuration. Where one does, it brings the delay queue along with everything
 * else, in the right order. Decides last, when all those classes are known.
 */
class SliceImportSelector
		implements DeferredImportSelector, DeterminableImports, BeanFactoryAware, EnvironmentAware, Ordered {

	private static final String SLICE = SliceConfiguration.class.getName();

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
		return (isOn() && isAutoConfigured()) ? new String[0] : new String[] { SLICE };
	}

	/** The slices of Spring Boot switch it off. */
	private boolean isOn() {
		return Objects.requireNonNull(this.environment, "not set")
			.getProperty(EnableAutoConfiguration.ENABLED_OVERRIDE_PROPERTY, Boolean.class, true);
	}

	private boolean isAutoConfigured() {
		ConfigurableListableBeanFactory beans = Objects.requireNonNull(this.beanFactory, "not set");
		for (String name : beans.getBeanDefinitionNames()) {
			if (beans.getBeanDefinition(name) instanceof AnnotatedBeanDefinition definition
					&& definition.getMetadata().isAnnotated(EnableAutoConfiguration.class.getName())) {
				return true;
			}
		}
		return false;
	}

	/** The same for all tests whose classes are the same. */
	@Override
	public Set<Object> determineImports(AnnotationMetadata metadata) {
		return Set.of(SLICE);
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

}
