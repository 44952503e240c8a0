package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Adds a line for each test class to {@value #FILE} of the module: its name, how many
 * tests ran, how many of these were skipped. Unlike the reports of the build it counts
 * the tests of all servers that a class runs on.
 */
public final class TestCounts implements TestExecutionListener {

	static final String FILE = "target/tests.txt";

	private final Map<String, Count> counts = new ConcurrentSkipListMap<>();

	@Override
	public void executionSkipped(TestIdentifier test, String reason) {
		count(test, new Count(1, 1));
	}

	@Override
	public void executionFinished(TestIdentifier test, TestExecutionResult result) {
		if (test.isTest()) {
			count(test, new Count(1, (result.getStatus() == Status.ABORTED) ? 1 : 0));
		}
	}

	private void count(TestIdentifier test, Count count) {
		TestSource source = test.getSource().orElse(null);
		if (source instanceof MethodSource method) {
			this.counts.merge(method.getClassName(), count, Count::plus);
		}
		else if (source instanceof ClassSource type) {
			this.counts.merge(type.getClassName(), count, Count::plus);
		}
	}

	@Override
	public void testPlanExecutionFinished(TestPlan plan) {
		List<String> lines = this.counts.entrySet()
			.stream()
			.map((entry) -> entry.getKey() + " " + entry.getValue().tests() + " " + entry.getValue().skipped())
			.toList();
		this.counts.clear();
		Path file = Path.of(FILE);
		if (Files.isDirectory(file.getParent())) {
			try {
				Files.write(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
	}

	private record Count(int tests, int skipped) {

		Count plus(Count other) {
			return new Count(this.tests + other.tests, this.skipped + other.skipped);
		}

	}

}
