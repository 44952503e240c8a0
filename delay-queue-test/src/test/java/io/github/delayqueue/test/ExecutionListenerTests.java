package io.github.delayqueue.test;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestContextManager;
import org.springframework.util.ReflectionUtils;

import io.github.delayqueue.annotation.DelayQueueListener;
import io.github.delayqueue.listener.TaskResult;
import io.github.delayqueue.producer.DelayQueueOperations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Failures of handlers are seen in the report of a test that fails, or fail it.
 */
class ExecutionListenerTests {

	@Test
	void testThatFailsShowsWhatHandlersThrew() throws Exception {
		AssertionError error = new AssertionError("the order is still open");
		run(new Lenient(), error);
		assertThat(error.getSuppressed()).singleElement()
			.satisfies((shown) -> assertThat(shown).hasMessageContaining("order_timeout/order-1, attempt 1")
				.hasCauseInstanceOf(IllegalStateException.class)
				.hasRootCauseMessage("for a test"));
	}

	@Test
	void testThatFailsShowsWhatFailedWithoutAnException() throws Exception {
		AssertionError error = new AssertionError("the numbers are not there");
		Lenient test = new Lenient();
		run(test, () -> {
			test.addNumbers();
			return error;
		});
		assertThat(error.getSuppressed()).hasSize(2)
			.allSatisfy((shown) -> assertThat(shown).hasNoCause())
			.extracting(Throwable::getMessage)
			.satisfiesExactly((unreadable) -> assertThat(unreadable).contains("numbers/task-1", "UNREADABLE"),
					(deadLettered) -> assertThat(deadLettered).contains("numbers/task-2", "DEAD_LETTERED",
							"too small"));
	}

	@Test
	void failureFailsTheTestIfThatIsAskedFor() throws Exception {
		Strict test = new Strict();
		run(test, () -> {
			assertThatExceptionOfType(AssertionError.class).isThrownBy(test::closeOrder)
				.withMessageContaining("order_timeout/order-1, attempt 1")
				.withCauseInstanceOf(IllegalStateException.class);
			return null;
		});
	}

	/** As JUnit does with classes that it runs side by side. */
	@Test
	void testThatBeginsWhileAnotherHasTheContextFailsAndLeavesThatOneAlone() throws Exception {
		Lenient first = new Lenient();
		Lenient second = new Lenient();
		Method method = method(first);
		TestContextManager ones = prepared(first);
		TestContextManager others = prepared(second);
		assertThat(second.tester).isSameAs(first.tester);
		ones.beforeTestMethod(first, method);
		first.place();
		for (int i = 0; i < 2; i++) {
			assertThatIllegalStateException().isThrownBy(() -> others.beforeTestMethod(second, method))
				.withMessageStartingWith("Test " + Lenient.class.getName() + ".closeOrder begins while "
						+ Lenient.class.getName() + ".closeOrder runs, with the same application context");
			others.afterTestMethod(second, method, null);
			assertThat(first.tester.queue("order_timeout")).hasScheduled("order-1");
		}
		ones.afterTestMethod(first, method, null);
		others.beforeTestMethod(second, method);
		assertThat(second.tester.queue("order_timeout")).isEmpty();
		others.afterTestMethod(second, method, null);
		ones.afterTestClass();
		others.afterTestClass();
	}

	private static void run(Application test, AssertionError error) throws Exception {
		run(test, () -> {
			test.closeOrder();
			return error;
		});
	}

	/** As a test engine does. */
	private static void run(Application test, TestBody body) throws Exception {
		TestContextManager manager = prepared(test);
		Method method = method(test);
		manager.beforeTestMethod(test, method);
		manager.beforeTestExecution(test, method);
		Throwable error = body.run();
		manager.afterTestExecution(test, method, error);
		manager.afterTestMethod(test, method, error);
		assertThat(test.tester.deliveries()).isEmpty();
		manager.afterTestClass();
	}

	private static TestContextManager prepared(Application test) throws Exception {
		TestContextManager manager = new TestContextManager(test.getClass());
		manager.beforeTestClass();
		manager.prepareTestInstance(test);
		return manager;
	}

	private static Method method(Application test) {
		return Objects.requireNonNull(ReflectionUtils.findMethod(test.getClass(), "closeOrder"));
	}

	private interface TestBody {

		@Nullable Throwable run();

	}

	@DelayQueueTest(classes = Listener.class)
	static class Lenient extends Application {

	}

	@DelayQueueTest(classes = Listener.class, properties = "delay-queue.test.fail-on-failure=true")
	static class Strict extends Application {

	}

	abstract static class Application {

		@Autowired
		private DelayQueueOperations delayQueue;

		@Autowired
		private DelayQueueTestClock clock;

		@Autowired
		protected DelayQueueTester tester;

		void place() {
			this.delayQueue.schedule("order_timeout", "order-1", "book", Duration.ofMinutes(30));
		}

		void closeOrder() {
			place();
			this.clock.advance(Duration.ofMinutes(30));
		}

		void addNumbers() {
			this.delayQueue.schedule("numbers", "task-1", "none", Duration.ofMinutes(1));
			this.delayQueue.schedule("numbers", "task-2", 1, Duration.ofMinutes(2));
			this.clock.advance(Duration.ofMinutes(2));
		}

	}

	static class Listener {

		@DelayQueueListener(queue = "order_timeout")
		void close(String number) {
			throw new IllegalStateException("for a test");
		}

		@DelayQueueListener(queue = "numbers")
		TaskResult add(int number) {
			return TaskResult.deadLetter("too small");
		}

	}

}
