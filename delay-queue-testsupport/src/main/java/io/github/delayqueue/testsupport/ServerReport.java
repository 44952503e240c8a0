package io.github.delayqueue.testsupport;

import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.extension.AfterClassTemplateInvocationCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Says how many tests of a class passed on which server, and which failed: the reports of
 * the build only number the servers.
 */
final class ServerReport implements TestWatcher, AfterClassTemplateInvocationCallback {

	private final AtomicInteger passed = new AtomicInteger();

	@Override
	public void testSuccessful(ExtensionContext context) {
		this.passed.incrementAndGet();
	}

	@Override
	public void testFailed(ExtensionContext context, Throwable cause) {
		System.out.printf("FAILED on %s: %s.%s %s%n", serverOf(context), classOf(context),
				context.getRequiredTestMethod().getName(), context.getDisplayName());
	}

	@Override
	public void afterClassTemplateInvocation(ExtensionContext context) {
		System.out.printf("%s: %d tests passed on %s%n", classOf(context), this.passed.getAndSet(0), serverOf(context));
	}

	private static String classOf(ExtensionContext context) {
		return context.getRequiredTestClass().getSimpleName();
	}

	/** What is around the test methods is named by the server. */
	private static String serverOf(ExtensionContext context) {
		ExtensionContext invocation = context;
		while (invocation.getTestMethod().isPresent()) {
			invocation = invocation.getParent().orElseThrow();
		}
		return invocation.getDisplayName();
	}

}
