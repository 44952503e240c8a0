package io.github.delayqueue.testsupport;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class ServerReportTests {

	@Test
	void countsForEachServerWhatPassedOnIt(CapturedOutput output) {
		run(TestedOnTwo.class);
		assertThat(output.getOut().lines()).contains("TestedOnTwo: 20 tests passed on Redis 6.2.7",
				"TestedOnTwo: 20 tests passed on Valkey 9.1.2");
	}

	private static void run(Class<?> tests) {
		// Without the listeners of this run, which are to hear of its own tests only
		LauncherConfig alone = LauncherConfig.builder()
			.enableLauncherSessionListenerAutoRegistration(false)
			.enableTestExecutionListenerAutoRegistration(false)
			.build();
		LauncherFactory.create(alone)
			.execute(
					LauncherDiscoveryRequestBuilder.request().selectors(DiscoverySelectors.selectClass(tests)).build());
	}

	/** Both servers are tested at the same time. */
	@ExtendWith(ServerReport.class)
	@ParameterizedClass(name = "{0}", quoteTextArguments = false)
	@ValueSource(strings = { "Redis 6.2.7", "Valkey 9.1.2" })
	@Execution(ExecutionMode.CONCURRENT)
	static class TestedOnTwo {

		private static final CyclicBarrier BOTH = new CyclicBarrier(2);

		@Parameter
		String server;

		@RepeatedTest(20)
		@Execution(ExecutionMode.SAME_THREAD)
		void passes() throws Exception {
			BOTH.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
		}

	}

}
