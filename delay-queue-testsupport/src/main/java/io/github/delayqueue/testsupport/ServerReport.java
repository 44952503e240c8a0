package io.github.delayqueue.testsupport;

import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.extension.AfterClassTemplateInvocationCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Says how many tests of a class passed on which server, and which failed: the reports of
 * the build only number the servers.
 */
final class ServerReport implements TestWatcher, AfterClassTemplateInvocationCallback {

	private static final Namespace NAMESPACE = Namespace.create(ServerReport.class);

	@Override
	public void testSuccessful(ExtensionContext context) {
		passed(invocation(context)).incrementAndGet();
	}

	@Override
	public void testFailed(ExtensionContext context, Throwable cause) {
		say("FAILED on %s: %s.%s %s".formatted(invocation(context).getDisplayName(), classOf(context),
				context.getRequiredTestMethod().getName(), context.getDisplayName()));
	}

	@Override
	public void afterClassTemplateInvocation(ExtensionContext context) {
		say("%s: %d tests passed on %s".formatted(classOf(context), passed(context).get(), context.getDisplayName()));
	}

	/** At once: what is printed in pieces mixes with that of the other test JVM. */
	private static void say(String line) {
		System.out.println(line);
	}

	/** Each invocation has a count of its own: those of a concurrent class overlap. */
	private static AtomicInteger passed(ExtensionContext invocation) {
		return invocation.getStore(NAMESPACE)
			.computeIfAbsent(AtomicInteger.class, key -> new AtomicInteger(), AtomicInteger.class);
	}

	private static String classOf(ExtensionContext context) {
		return context.getRequiredTestClass().getSimpleName();
	}

	/** What is around the test methods: all tests on one server, whose name it has. */
	private static ExtensionContext invocation(ExtensionContext context) {
		ExtensionContext invocation = context;
		while (invocation.getTestMethod().isPresent()) {
			invocation = invocation.getParent().orElseThrow();
		}
		return invocation;
	}

}
