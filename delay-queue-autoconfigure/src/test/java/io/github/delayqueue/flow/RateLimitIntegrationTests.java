package io.github.delayqueue.flow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.store.DueTime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A rate that three processes keep to together, by when their handlers started.
 * <p>
 * {@code -Dflow.full=true} for 5,000 tasks at 100 a second, judged by windows of ten
 * seconds.
 */
class RateLimitIntegrationTests extends AbstractFlowIntegrationTests {

	private static final Logger logger = LoggerFactory.getLogger(RateLimitIntegrationTests.class);

	private static final boolean FULL = Boolean.getBoolean("flow.full");

	private static final int RATE = FULL ? 100 : 1000;

	private static final int TASKS = FULL ? 5000 : 4000;

	private static final Duration WINDOW = FULL ? Duration.ofSeconds(10) : Duration.ofSeconds(1);

	/** The share of what a window allows by which it may be off. */
	private static final double TOLERANCE = FULL ? 0.05 : 0.15;

	private static final Duration STEP = WINDOW.dividedBy(10);

	@Test
	void threeInstancesTogetherKeepToTheRate() {
		this.instances.start(3, 0, "queues.work.rate-limit=" + RATE + "/s");
		this.instances.schedule(TASKS, DueTime.in(Duration.ofSeconds(2)));
		long callsBefore = this.instances.calls("evalsha");
		await().atMost(Duration.ofSeconds(30 + TASKS / RATE))
			.pollInterval(Duration.ofMillis(500))
			.until(() -> this.instances.store().stats(FlowApplication.QUEUE).totals().completed() == TASKS);
		long calls = this.instances.calls("evalsha") - callsBefore;
		long[] starts = this.instances.lines()
			.filter((line) -> line.startsWith("S "))
			.mapToLong((line) -> Long.parseLong(line.split(" ")[1]))
			.sorted()
			.toArray();
		assertThat(starts).hasSize(TASKS);
		List<Long> windows = windows(starts, WINDOW);
		List<Long> sliding = windows(starts, STEP);
		logger.info(
				"{} tasks at {}/s, three instances with shares {}: {} in the first {} ms, then {} in such windows; "
						+ "in all such windows that begin {} ms after one another {} to {}; {} script calls",
				TASKS, RATE, this.instances.shares(), count(starts, starts[0], WINDOW), WINDOW.toMillis(), windows,
				STEP.toMillis(), sliding.stream().mapToLong(Long::longValue).min().orElse(0),
				sliding.stream().mapToLong(Long::longValue).max().orElse(0), calls);
		double expected = RATE * WINDOW.toMillis() / 1000.0;
		assertThat(sliding).hasSizeGreaterThan(10)
			.allSatisfy((count) -> assertThat((double) count).isBetween(expected * (1 - TOLERANCE),
					expected * (1 + TOLERANCE)));
		assertThat(this.instances.store().stats(FlowApplication.QUEUE).totals().stale()).isZero();
	}

	/** All windows after the first that are over before the last task has started. */
	private static List<Long> windows(long[] starts, Duration step) {
		List<Long> counts = new ArrayList<>();
		long last = starts[starts.length - 1];
		for (long from = starts[0] + micros(WINDOW); from + micros(WINDOW) <= last; from += micros(step)) {
			counts.add(count(starts, from, WINDOW));
		}
		return counts;
	}

	private static long count(long[] starts, long from, Duration window) {
		return LongStream.of(starts).filter((at) -> at >= from && at < from + micros(window)).count();
	}

	private static long micros(Duration duration) {
		return duration.toNanos() / 1000;
	}

}
