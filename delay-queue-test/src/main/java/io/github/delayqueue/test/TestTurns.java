package io.github.delayqueue.test;

import java.lang.StackWalker.Option;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;

import io.github.delayqueue.Names;

/**
 * Which test method uses the clock and the queues of an application context: one at a
 * time, and nobody in between, because what is scheduled then is gone when the next one
 * begins.
 */
final class TestTurns implements AopInfrastructureBean {

	/** The class whose tests this thread runs. */
	private static final ThreadLocal<Class<?>> TEST_CLASS = new ThreadLocal<>();

	private static final StackWalker STACK = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE);

	private final AtomicReference<@Nullable Turn> current = new AtomicReference<>();

	/** The turn of a test method. As many as there are calls of it. */
	record Turn(String test) {

	}

	static void beginClass(Class<?> testClass) {
		TEST_CLASS.set(testClass);
	}

	/** Of a nested class: the tests of the one around it go on. */
	static void endClass(Class<?> testClass) {
		Class<?> around = testClass.getEnclosingClass();
		if (TEST_CLASS.get() == testClass && around != null) {
			TEST_CLASS.set(around);
		}
		else {
			TEST_CLASS.remove();
		}
	}

	Turn take(String test) {
		Turn turn = new Turn(test);
		Turn other = this.current.compareAndExchange(null, turn);
		if (other != null) {
			throw new IllegalStateException("Test " + test + " begins while " + other.test
					+ " runs, with the same application context: they would turn one clock and empty each other's "
					+ "queues. Run them one after the other, for example by @ResourceLock(\"delay-queue\") on "
					+ "both classes, or give one of them a context of its own, by a property of its own");
		}
		return turn;
	}

	void giveBack(Turn turn) {
		this.current.compareAndSet(turn, null);
	}

	/**
	 * Refuse what the code of a test class schedules outside of its test methods. What
	 * the application does when it starts is its own affair.
	 */
	void requireTurn(String queue, String taskId) {
		Class<?> testClass = (this.current.get() == null) ? TEST_CLASS.get() : null;
		if (testClass != null
				&& STACK.walk((frames) -> frames.anyMatch((frame) -> isOf(testClass, frame.getDeclaringClass())))) {
			throw new IllegalStateException("Task '" + Names.printable(taskId) + "' of queue '" + queue
					+ "' is scheduled outside of the test methods of " + testClass.getName()
					+ ", as in @BeforeAll, and would be gone when the next of them begins: schedule it in @BeforeEach");
		}
	}

	private static boolean isOf(Class<?> testClass, Class<?> caller) {
		return caller != Object.class && Stream.<Class<?>>iterate(testClass, Objects::nonNull, Class::getEnclosingClass)
			.anyMatch(caller::isAssignableFrom);
	}

}
