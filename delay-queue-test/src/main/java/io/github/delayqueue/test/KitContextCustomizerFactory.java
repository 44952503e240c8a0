package io.github.delayqueue.test;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * For tests with the kit, {@link KitContextCustomizer}, and a look at whether their
 * annotations go together.
 */
class KitContextCustomizerFactory implements ContextCustomizerFactory {

	@Override
	public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configAttributes) {
		if (!TestContextAnnotationUtils.hasAnnotation(testClass, AutoConfigureDelayQueueTest.class)) {
			return null;
		}
		AnnotationRules.check(testClass);
		return new KitContextCustomizer();
	}

}
