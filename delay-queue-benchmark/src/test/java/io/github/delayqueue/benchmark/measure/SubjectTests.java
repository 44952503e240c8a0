package io.github.delayqueue.benchmark.measure;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.benchmark.Producer;
import io.github.delayqueue.benchmark.QueueSystem;
import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.TaskSink;

import static org.assertj.core.api.Assertions.assertThat;

class SubjectTests {

	private final AtomicInteger pending = new AtomicInteger();

	@Test
	void isSettledWhenTheStoreHasNoneLeft() {
		Subject subject = subject();
		this.pending.set(4);
		long before = Ledger.nowMicros();
		assertThat(subject.settledMicros(60_000)).isGreaterThanOrEqualTo(before);
		assertThat(this.pending).hasValue(-1);
	}

	@Test
	void taskThatStaysInTheStoreIsUnsettled() {
		this.pending.set(Integer.MAX_VALUE);
		assertThat(subject().settledMicros(20)).isZero();
	}

	private Subject subject() {
		SystemType type = new SystemType("test", "Test", "A system.", Set.of(), (servers) -> new TestSystem());
		return new Subject(type, new TestSystem());
	}

	private final class TestSystem implements QueueSystem {

		@Override
		public Map<String, String> settings() {
			return Map.of();
		}

		@Override
		public Producer producer() {
			throw new UnsupportedOperationException();
		}

		@Override
		public Consumption consume(TaskSink sink) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void reset() {
			throw new UnsupportedOperationException();
		}

		@Override
		public long pending() {
			return SubjectTests.this.pending.getAndDecrement();
		}

		@Override
		public void close() {
		}

	}

}
