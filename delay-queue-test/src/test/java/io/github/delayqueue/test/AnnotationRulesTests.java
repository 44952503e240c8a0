package io.github.delayqueue.test;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.context.NestedTestConfiguration;
import org.springframework.test.context.NestedTestConfiguration.EnclosingConfiguration;
import org.springframework.test.context.TestContextManager;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Nothing that an annotation says is ignored without a word.
 */
class AnnotationRulesTests {

	private static void check(Class<?> testClass) {
		new KitContextCustomizerFactory().createContextCustomizer(testClass, List.of());
	}

	@Test
	void propertiesThatSpringBootTestWouldHideAreRefused() {
		assertThatIllegalStateException().isThrownBy(() -> new TestContextManager(HiddenProperties.class))
			.withMessageContaining("DelayQueueTest of " + HiddenProperties.class.getName())
			.withMessageContaining("would be ignored");
	}

	@Test
	void propertiesThatSpringBootTestOfASubclassWouldHideAreRefused() {
		assertThatIllegalStateException().isThrownBy(() -> check(HiddenBySubclass.class))
			.withMessageContaining(Alone.class.getName())
			.withMessageContaining(HiddenBySubclass.class.getName());
	}

	@Test
	void springBootTestOfASuperclassIsNotHidden() {
		assertThatIllegalStateException().isThrownBy(() -> check(HidesSuperclass.class))
			.withMessageContaining("SpringBootTest of " + Base.class.getName())
			.withMessageContaining("@AutoConfigureDelayQueueTest");
	}

	@Test
	void springBootTestOfAnEnclosingClassIsNotHidden() {
		assertThatIllegalStateException().isThrownBy(() -> check(Outer.Inner.class))
			.withMessageContaining("SpringBootTest of " + Outer.class.getName());
	}

	@Test
	void whatIsSaidOnceIsAccepted() {
		assertThatNoException().isThrownBy(() -> {
			check(Alone.class);
			check(Both.class);
			check(InheritsBoth.class);
			check(OnBase.class);
			check(Outer.Apart.class);
			check(Base.class);
		});
	}

	@DelayQueueTest(properties = "delay-queue.test.max-deliveries=20")
	static class Alone {

	}

	@SpringBootTest
	@DelayQueueTest
	static class Both {

	}

	static class InheritsBoth extends Both {

	}

	@SpringBootTest
	@DelayQueueTest(properties = "delay-queue.test.max-deliveries=20")
	static class HiddenProperties {

	}

	@SpringBootTest
	static class HiddenBySubclass extends Alone {

	}

	@SpringBootTest(webEnvironment = WebEnvironment.MOCK)
	static class Base {

	}

	@DelayQueueTest
	static class HidesSuperclass extends Base {

	}

	@AutoConfigureDelayQueueTest
	static class OnBase extends Base {

	}

	@SpringBootTest
	static class Outer {

		@DelayQueueTest
		class Inner {

		}

		@DelayQueueTest
		@NestedTestConfiguration(EnclosingConfiguration.OVERRIDE)
		class Apart {

		}

	}

}
