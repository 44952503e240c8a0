package io.github.delayqueue.benchmark.measure;

import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.Producer;
import io.github.delayqueue.benchmark.QueueSystem;
import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.TaskSink;
import io.github.delayqueue.benchmark.peers.Peers;

import static org.assertj.core.api.Assertions.assertThat;

class OpenLoopTests {

	private static final Servers NONE = new Servers("localhost", 1, null);

	private final QueueSystem timer = Peers.JVM_TIMER.open(NONE);

	private long stallMillis;

	@AfterEach
	void close() {
		this.timer.close();
	}

	@Test
	void allTasksAreScheduledAndHandledAtTheRate() {
		Sample sample = run();
		assertThat(sample.counts()).isEqualTo(Counts.NONE);
		assertThat(sample.values()).containsEntry("offered", 1000.0);
		assertThat(sample.values().get("rate")).isPositive().isLessThanOrEqualTo(1000);
		assertThat(sample.values().get("p50")).isNotNegative().isLessThanOrEqualTo(sample.values().get("p99"));
		assertThat(sample.values().get("clientCpu")).isPositive();
	}

	@Test
	void callsThatHadToWaitForOneThatStalledAreLateAsWell() {
		this.stallMillis = 600;
		// six of ten calls wait, from 600 ms down to none, although only 16 took long
		assertThat(run().values().get("call50")).isGreaterThan(90);
	}

	private Sample run() {
		SystemType type = new SystemType("test", "Test", "A system.", Set.of(), (servers) -> new StallingSystem());
		Subject subject = new Subject(type, type.open(NONE));
		return new OpenLoop(new Fork(subject, NONE, false), 1000, 1).run();
	}

	/** The first call of each thread takes long. */
	private final class StallingSystem implements QueueSystem, Producer {

		private final ThreadLocal<Boolean> stalled = ThreadLocal.withInitial(() -> false);

		@Override
		public Map<String, String> settings() {
			return Map.of();
		}

		@Override
		public Producer producer() {
			return this;
		}

		@Override
		public void schedule(BenchTask task) {
			if (!this.stalled.get()) {
				this.stalled.set(true);
				Waits.pause(OpenLoopTests.this.stallMillis);
			}
			OpenLoopTests.this.timer.producer().schedule(task);
		}

		@Override
		public void scheduleAll(List<BenchTask> tasks) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Consumption consume(TaskSink sink) {
			return OpenLoopTests.this.timer.consume(sink);
		}

		@Override
		public void reset() {
			OpenLoopTests.this.timer.reset();
		}

		@Override
		public long pending() {
			return OpenLoopTests.this.timer.pending();
		}

		@Override
		public void close() {
		}

	}

}
