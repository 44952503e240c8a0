package io.github.delayqueue.testsupport;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.junit.jupiter.api.extension.AfterClassTemplateInvocationCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Says how many tests of a class passed on which server, and which failed: the reports of
 * the build only number the servers.
 */
final class ServerReport implements TestWatcher, AfterClassTemplateInvocationCallback {

	/** By server: those of a concurrent class are tested at the same time. */
	private final Map<String, Integer> passed = new ConcurrentHashMap<>();

	@Override
	public void testSuccessful(ExtensionContext context) {
		this.passed.merge(serverOf(context), 1, Integer::sum);
	}

	@Override
	public void testFailed(ExtensionContext context, Throwable cause) {
		System.out.println(String.format(Locale.ROOT, "FAILED on %s: %s.%s %s", serverOf(context), classOf(context),
				context.getRequiredTestMethod().getName(), context.getDisplayName()));
	}

	@Override
	public void afterClassTemplateInvocation(ExtensionContext context) {
		String server = serverOf(context);
		System.out.println(String.format(Locale.ROOT, "%s: %d tests passed on %s", classOf(context),
				this.passed.getOrDefault(server, 0), server));
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
