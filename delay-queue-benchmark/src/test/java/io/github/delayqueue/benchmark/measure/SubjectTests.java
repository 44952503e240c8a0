package io.github.delayqueue.benchmark.measure;

import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.benchmark.Producer;
import io.github.delayqueue.benchmark.QueueSystem;
import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.TaskSink;

import static org.assertj.core.api.Assertions.assertThat;

class SubjectTests {

	private final AtomicInteger connected = new AtomicInteger();

	private final AtomicInteger closed = new AtomicInteger();

	private final AtomicInteger pending = new AtomicInteger();

	@Test
	void isConnectedWhenItIsUsedAndAgainAfterItWasClosed() {
		Subject subject = subject();
		assertThat(this.connected).hasValue(0);
		assertThat(subject.system()).isSameAs(subject.system());
		subject.close();
		assertThat(this.closed).hasValue(1);
		subject.system();
		assertThat(this.connected).hasValue(2);
		subject.close();
		subject.close();
		assertThat(this.closed).hasValue(2);
	}

	@Test
	void isSettledWhenTheStoreHasOnlyTheOthers() {
		Subject subject = subject();
		this.pending.set(4);
		long before = Ledger.nowMicros();
		assertThat(subject.settledMicros(1, 60_000)).isGreaterThanOrEqualTo(before);
		assertThat(this.pending).hasValue(0);
	}

	@Test
	void taskThatStaysInTheStoreIsUnsettled() {
		this.pending.set(Integer.MAX_VALUE);
		assertThat(subject().settledMicros(0, 20)).isZero();
	}

	private Subject subject() {
		SystemType type = new SystemType("test", "Test", "A system.", Set.of(), Set.of(), (servers) -> {
			this.connected.incrementAndGet();
			return new TestSystem();
		});
		return new Subject(type, new Servers("localhost", 1, null), 0);
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
		public OptionalLong pending() {
			return OptionalLong.of(SubjectTests.this.pending.getAndDecrement());
		}

		@Override
		public void close() {
			SubjectTests.this.closed.incrementAndGet();
		}

	}

}
