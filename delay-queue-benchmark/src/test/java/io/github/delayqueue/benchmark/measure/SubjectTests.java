package io.github.delayqueue.benchmark.measure;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.benchmark.Producer;
import io.github.delayqueue.benchmark.QueueSystem;
import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.SystemType.Trait;
import io.github.delayqueue.benchmark.TaskSink;

import static org.assertj.core.api.Assertions.assertThat;

class SubjectTests {

	private final AtomicInteger connected = new AtomicInteger();

	private final AtomicInteger closed = new AtomicInteger();

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
	void thoseThatWaitForTheDiskAreAmongThemselves() {
		try (Subject ordinary = subject(); Subject durable = subject(Trait.DURABLE)) {
			Session session = new Session(List.of(ordinary, durable), null, null, true, false,
					new PrintStream(OutputStream.nullOutputStream()));
			assertThat(session.subjects()).containsExactly(ordinary);
			assertThat(session.durableSubjects()).containsExactly(durable);
		}
	}

	private Subject subject(Trait... traits) {
		SystemType type = new SystemType("test", "Test", "A system.", Set.of(), Set.of(traits), (servers) -> {
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
		public void close() {
			SubjectTests.this.closed.incrementAndGet();
		}

	}

}
