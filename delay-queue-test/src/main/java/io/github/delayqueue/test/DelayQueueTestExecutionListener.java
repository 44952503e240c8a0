package io.github.delayqueue.test;

import java.util.function.Consumer;

import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.Order;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.TestExecutionListener;

/**
 * Lets each test method begin with empty queues. To the exception of a test that fails it
 * adds the deliveries that failed: they are often the reason.
 */
@Order(3500) // before transactions of tests begin, and after they have ended
class DelayQueueTestExecutionListener implements TestExecutionListener {

	/** Of the test that has it, which uses the queues of its context. */
	private static final String TURN = DelayQueueTestExecutionListener.class.getName() + ".turn";

	@Override
	public void beforeTestClass(TestContext testContext) {
		if (isOurs(testContext)) {
			TestTurns.beginClass(testContext.getTestClass());
		}
	}

	@Override
	public void afterTestClass(TestContext testContext) {
		TestTurns.endClass(testContext.getTestClass());
	}

	@Override
	public void beforeTestMethod(TestContext testContext) {
		String test = testContext.getTestClass().getName() + "." + testContext.getTestMethod().getName();
		withTester(testContext, (tester) -> testContext.setAttribute(TURN, tester.begin(test)));
	}

	@Override
	public void afterTestExecution(TestContext testContext) {
		Throwable error = testContext.getTestException();
		if (error != null && testContext.hasAttribute(TURN)) {
			withTester(testContext, (tester) -> tester.failures().forEach((failure) -> addCause(error, failure)));
		}
	}

	private static void addCause(Throwable error, EndedDelivery failure) {
		Throwable cause = failure.cause();
		for (Throwable known = error; cause != null && known != null; known = known.getCause()) {
			if (known == cause) {
				return;
			}
		}
		error.addSuppressed(new HandlerFailure(failure, cause));
	}

	@Override
	public void afterTestMethod(TestContext testContext) {
		// none if it did not get it, because another one has it
		if (testContext.removeAttribute(TURN) instanceof TestTurns.Turn turn) {
			withTester(testContext, (tester) -> tester.end(turn));
		}
	}

	private static void withTester(TestContext testContext, Consumer<DelayQueueTester> action) {
		if (isOurs(testContext) && testContext.hasApplicationContext()) {
			ApplicationContext context = testContext.getApplicationContext();
			context.getBeanProvider(DelayQueueTester.class).ifAvailable(action);
		}
	}

	private static boolean isOurs(TestContext testContext) {
		return TestContextAnnotationUtils.hasAnnotation(testContext.getTestClass(), AutoConfigureDelayQueueTest.class);
	}

}
