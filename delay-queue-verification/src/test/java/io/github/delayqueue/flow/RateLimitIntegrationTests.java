package io.github.delayqueue.flow;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A rate that three processes keep to together, by what Redis has let them take at any
 * time and by when their handlers started: a process that stands still for a while makes
 * neither of them more. They use it: none of them polls, so each has to come back when
 * the rate lets it. How near they come to it is printed, not asserted.
 * <p>
 * {@code -Dflow.full=true} for 5,000 tasks at 100 a second.
 */
@Heavy
class RateLimitIntegrationTests extends AbstractFlowIntegrationTests {

	private static final Logger logger = LoggerFactory.getLogger(RateLimitIntegrationTests.class);

	private static final boolean FULL = Boolean.getBoolean("flow.full");

	private static final int RATE = FULL ? 100 : 1000;

	private static final int TASKS = FULL ? 5000 : 4000;

	@Test
	void threeInstancesTogetherKeepToTheRate() {
		this.instances.start(3, 0, "queues.work.rate-limit=" + RATE + "/s");
		Instant dueAt = this.instances.time().plusSeconds(2).truncatedTo(ChronoUnit.MILLIS);
		this.instances.schedule(TASKS, DueTime.at(dueAt));
		long callsBefore = this.instances.calls("evalsha");
		List<Look> looks = new ArrayList<>();
		await().atMost(Patience.LIMIT.plusSeconds(TASKS / RATE)).until(() -> {
			looks.add(look());
			return looks.get(looks.size() - 1).taken() == TASKS;
		});
		long calls = this.instances.calls("evalsha") - callsBefore - looks.size();
		await().until(() -> this.instances.store().stats(FlowApplication.QUEUE).totals().completed() == TASKS);
		List<Instant> starts = this.instances.lines()
			.filter((line) -> line.startsWith("S "))
			.map((line) -> Instant.EPOCH.plus(Long.parseLong(line.split(" ")[1]), ChronoUnit.MICROS))
			.sorted()
			.toList();
		assertThat(starts).hasSize(TASKS);
		logger.info("{} tasks at {}/s, three instances with shares {}: started within {} ms; {} looks, {} script calls",
				TASKS, RATE, this.instances.shares(), Duration.between(starts.get(0), starts.get(TASKS - 1)).toMillis(),
				looks.size(), calls);
		for (int from = 0; from < looks.size(); from++) {
			for (int to = from + 1; to < looks.size(); to++) {
				Look one = looks.get(from);
				Look other = looks.get(to);
				assertThat(other.taken() - one.taken()).as("taken between two looks: %s, %s", one, other)
					.isLessThanOrEqualTo(allowed(one.before(), other.after()));
			}
		}
		for (int i = 0; i < TASKS; i++) {
			assertThat(i + 1L).as("handlers started until %s, when due at %s", starts.get(i), dueAt)
				.isLessThanOrEqualTo(allowed(dueAt, starts.get(i)));
		}
		assertThat(this.instances.store().stats(FlowApplication.QUEUE).totals().stale()).isZero();
	}

	private Look look() {
		Instant before = this.instances.time();
		QueueStats stats = this.instances.store().stats(FlowApplication.QUEUE);
		return new Look(before, stats.inFlight() + stats.totals().completed(), this.instances.time());
	}

	/**
	 * What comes in meanwhile, what was saved up for a tenth of a second, and one more.
	 */
	private static long allowed(Instant from, Instant to) {
		return Duration.between(from, to).plusMillis(100).toNanos() * RATE / 1_000_000_000 + 1;
	}

	/**
	 * How many tasks were in flight or done.
	 *
	 * @param before a time before that
	 * @param taken how many
	 * @param after a time after that
	 */
	private record Look(Instant before, long taken, Instant after) {

	}

}
