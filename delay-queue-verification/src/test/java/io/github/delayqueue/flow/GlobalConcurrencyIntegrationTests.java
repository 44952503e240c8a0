package io.github.delayqueue.flow;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.testsupport.Heavy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A number of tasks in flight that three processes keep to together, by when their
 * handlers started and ended, and by what Redis said meanwhile. They use it: handlers
 * that are held up are as many, and whoever gives up a place wakes the others, because
 * none of them polls.
 */
@Heavy
class GlobalConcurrencyIntegrationTests extends AbstractFlowIntegrationTests {

	private static final Logger logger = LoggerFactory.getLogger(GlobalConcurrencyIntegrationTests.class);

	private static final int LIMIT = 6;

	private static final int HANDLER_MILLIS = 50;

	private static final int TASKS = 180;

	@Test
	void threeInstancesTogetherKeepToTheLimitAndUseIt() {
		this.instances.start(3, HANDLER_MILLIS, "queues.work.global-concurrency=" + LIMIT, "listener.concurrency=8");
		this.instances.hold();
		this.instances.schedule(TASKS, DueTime.in(Duration.ofSeconds(1)));
		await().until(() -> this.instances.shares().stream().mapToLong(Long::longValue).sum() >= LIMIT);
		long callsBefore = this.instances.calls("evalsha");
		long publishedBefore = this.instances.calls("publish");
		AtomicInteger looks = new AtomicInteger();
		this.instances.release();
		await().pollInterval(Duration.ofMillis(5)).until(() -> {
			looks.incrementAndGet();
			QueueStats stats = this.instances.store().stats(FlowApplication.QUEUE);
			assertThat(stats.inFlight()).isLessThanOrEqualTo(LIMIT);
			return stats.totals().completed() == TASKS;
		});
		long published = this.instances.calls("publish") - publishedBefore;
		long calls = this.instances.calls("evalsha") - callsBefore - looks.get();
		List<Event> events = this.instances.lines()
			.map((line) -> line.split(" "))
			.filter((parts) -> parts.length == 3 && !parts[0].equals("W"))
			.map((parts) -> new Event(Long.parseLong(parts[1]), parts[0].equals("S")))
			.sorted(Comparator.comparingLong(Event::micros).thenComparing(Event::start))
			.toList();
		assertThat(events).hasSize(2 * TASKS);
		int running = 0;
		int most = 0;
		for (Event event : events) {
			running += event.start() ? 1 : -1;
			most = Math.max(most, running);
		}
		double seconds = (events.get(events.size() - 1).micros() - events.get(0).micros()) / 1e6;
		double ideal = 1000.0 * LIMIT / HANDLER_MILLIS;
		logger.info(
				"{} tasks of {} ms, at most {} in flight, three instances with shares {}: {} a second of {} possible, "
						+ "at most {} at a time; a task took {} script calls and {} wake messages",
				TASKS, HANDLER_MILLIS, LIMIT, this.instances.shares(), Math.round(TASKS / seconds), Math.round(ideal),
				most, Math.round(10.0 * calls / TASKS) / 10.0, Math.round(10.0 * published / TASKS) / 10.0);
		assertThat(most).isEqualTo(LIMIT);
		assertThat(this.instances.store().stats(FlowApplication.QUEUE).totals().stale()).isZero();
	}

	private record Event(long micros, boolean start) {

	}

}
