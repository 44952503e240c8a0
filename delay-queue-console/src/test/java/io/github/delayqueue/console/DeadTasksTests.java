package io.github.delayqueue.console;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.roles.DeadPage;
import io.github.delayqueue.roles.DeadSearch;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.WholeStore;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DeadTasks}: what happens between two pages.
 */
class DeadTasksTests {

	private static final String QUEUE = "letters";

	private static final String AWAY = "{\"cause\":\"00000000000000aa\"}";

	private static final String BROKEN = "{\"cause\":\"00000000000000bb\"}";

	private final MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));

	private final Store store = new Store(this.clock);

	@Test
	void taskThatDiesOfAnotherCauseBetweenTwoPagesIsNotPurged() {
		die(AWAY, "moody");
		die(BROKEN, IntStream.range(0, DeadSearch.MAX_LOOKS).mapToObj((i) -> "task-" + i).toArray(String[]::new));
		this.store.afterPage = () -> {
			this.store.afterPage = () -> {
			};
			this.store.redrive(QUEUE, List.of("moody"));
			die(BROKEN, "moody");
			die(AWAY, "last");
		};
		DeadTasks dead = new DeadTasks(this.store, System::nanoTime);
		dead.delete(QUEUE, new RequestArguments(QUEUE, Map.of("cause", "00000000000000aa", "state", "DEAD")));
		assertThat(this.store.find(QUEUE, "moody")).isPresent();
		assertThat(this.store.find(QUEUE, "last")).isEmpty();
	}

	@Test
	void countGoesOnThoughAPageHasPausedForAMinute() {
		die(AWAY, IntStream.range(0, DeadSearch.MAX_LOOKS + 500).mapToObj((i) -> "task-" + i).toArray(String[]::new));
		AtomicLong nanos = new AtomicLong();
		this.store.afterPage = () -> nanos.addAndGet(Duration.ofMillis(200).toNanos());
		DeadTasks dead = new DeadTasks(this.store, nanos::get);
		assertThat(dead.causes(QUEUE, new RequestArguments(QUEUE, Map.of())).complete()).isFalse();
		nanos.addAndGet(Duration.ofMinutes(1).toNanos());
		assertThat(dead.causes(QUEUE, new RequestArguments(QUEUE, Map.of())))
			.returns(DeadSearch.MAX_LOOKS + 500L, DeadDescriptor::tasks)
			.returns(true, DeadDescriptor::complete);
	}

	private void die(String failure, String... ids) {
		this.clock.advance(Duration.ofSeconds(1));
		for (int from = 0; from < ids.length; from += 500) {
			List<String> some = List.of(ids).subList(from, Math.min(from + 500, ids.length));
			this.store.schedule(QUEUE,
					some.stream()
						.filter((id) -> this.store.find(QUEUE, id).isEmpty())
						.map((id) -> new NewTask(id, id.getBytes(), DueTime.in(Duration.ZERO), TaskPriority.NORMAL,
								Replacement.REJECT))
						.toList());
			this.store.claim(QUEUE, ClaimRequest.of("t", 500, Duration.ofMinutes(1)));
			this.store.settle(QUEUE,
					some.stream().map((id) -> Endings.deadLetter(id, "t", true, failure.getBytes())).toList());
		}
		assertThat(List.of(ids)).allMatch((id) -> this.store.find(QUEUE, id).orElseThrow().state() == TaskState.DEAD);
	}

	private static final class Store extends WholeStore {

		private Runnable afterPage = () -> {
		};

		Store(Clock clock) {
			super(new InMemoryTaskStore(clock));
		}

		@Override
		public DeadPage dead(String queue, DeadSearch search) {
			DeadPage page = super.dead(queue, search);
			this.afterPage.run();
			return page;
		}

	}

}
