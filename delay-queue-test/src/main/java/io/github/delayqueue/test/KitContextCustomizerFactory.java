package io.github.delayqueue.test;

import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.TestContextAnnotationUtils.AnnotationDescriptor;

/**
 * For tests with the kit, {@link KitContextCustomizer}, and a look at whether their
 * annotations go together: Spring Boot takes one {@code @SpringBootTest} for a test
 * class, and {@link DelayQueueTest} is one itself. What the other one says would be
 * ignored without a word.
 */
class KitContextCustomizerFactory implements ContextCustomizerFactory {

	@Override
	public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configAttributes) {
		if (!TestContextAnnotationUtils.hasAnnotation(testClass, AutoConfigureDelayQueueTest.class)) {
			return null;
		}
		checkAnnotations(testClass);
		return new KitContextCustomizer();
	}

	private static void checkAnnotations(Class<?> testClass) {
		AnnotationDescriptor<DelayQueueTest> ours = TestContextAnnotationUtils.findAnnotationDescriptor(testClass,
				DelayQueueTest.class);
		AnnotationDescriptor<SpringBootTest> taken = TestContextAnnotationUtils.findAnnotationDescriptor(testClass,
				SpringBootTest.class);
		if (ours == null || taken == null) {
			return;
		}
		if (taken.getDeclaringClass() != DelayQueueTest.class) {
			requireNothingSaid(ours, taken);
			return;
		}
		otherThanOurs(testClass).ifPresent((hidden) -> {
			throw new IllegalStateException("@DelayQueueTest of " + ours.getRootDeclaringClass().getName()
					+ " replaces @SpringBootTest of " + name(hidden.getSource())
					+ ", which would be ignored. Use @AutoConfigureDelayQueueTest instead of "
					+ "@DelayQueueTest, and @TestPropertySource for properties");
		});
	}

	private static void requireNothingSaid(AnnotationDescriptor<DelayQueueTest> ours,
			AnnotationDescriptor<SpringBootTest> taken) {
		DelayQueueTest annotation = ours.getAnnotation();
		if (annotation.classes().length > 0 || annotation.properties().length > 0) {
			throw new IllegalStateException(
					"Classes and properties in @DelayQueueTest of " + ours.getRootDeclaringClass().getName()
							+ " would be ignored, because @SpringBootTest of " + taken.getRootDeclaringClass().getName()
							+ " says what the context is made of. Move them there, or leave @SpringBootTest out");
		}
	}

	private static Optional<MergedAnnotation<SpringBootTest>> otherThanOurs(Class<?> testClass) {
		return MergedAnnotations.search(SearchStrategy.TYPE_HIERARCHY)
			.withEnclosingClasses(TestContextAnnotationUtils::searchEnclosingClass)
			.from(testClass)
			.stream(SpringBootTest.class)
			.filter((annotation) -> !annotation.getMetaTypes().contains(DelayQueueTest.class))
			.findFirst();
	}

	private static String name(@Nullable Object source) {
		return (source instanceof Class<?> type) ? type.getName() : String.valueOf(source);
	}

}
