package io.github.delayqueue.journal;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.DuplicatePolicy;
import io.github.delayqueue.store.NewTask;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When a loader takes what somebody else has written and not handed over.
 */
class LoadingTests {

	private static final String QUEUE = "orders";

	private static final byte[] ENVELOPE = "{}".getBytes(StandardCharsets.UTF_8);

	private final JournalFixture fixture = new JournalFixture();

	private final Loading loading = this.fixture.loading(QUEUE);

	@BeforeEach
	void start() {
		this.loading.round();
		pass(Duration.ofSeconds(6));
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void taskIsTakenAtOnceWhenItIsDueSoon() {
		write("a", Duration.ofSeconds(24));
		pass(Duration.ofSeconds(4));
		assertThat(isLoaded("a")).as("somebody may be about to hand it over").isFalse();
		pass(Duration.ofSeconds(1));
		assertThat(isLoaded("a")).isTrue();
	}

	@Test
	void taskIsTakenBeforeItIsDue() {
		write("a", Duration.ofSeconds(50));
		pass(Duration.ofSeconds(29));
		assertThat(isLoaded("a")).isFalse();
		pass(Duration.ofSeconds(1));
		assertThat(isLoaded("a")).isTrue();
	}

	@Test
	void taskIsTakenWhenWhoeverHasWrittenItMustHaveHandedItOverLongAgo() {
		write("a", Duration.ofMinutes(10));
		pass(Duration.ofSeconds(59));
		assertThat(isLoaded("a")).isFalse();
		pass(Duration.ofSeconds(6));
		assertThat(isLoaded("a")).isTrue();
	}

	@Test
	void newInstanceTakesWhatAnotherMayHaveLeft() {
		write("a", Duration.ofMinutes(10));
		this.fixture.clock.advance(Duration.ofSeconds(6));
		this.fixture.loading(QUEUE).round();
		assertThat(isLoaded("a")).isTrue();
	}

	@Test
	void instanceTakesWhatItCouldNotHandOver() {
		this.fixture.unreachable.set(true);
		for (String id : List.of("a", "b")) {
			this.fixture.store.schedule(QUEUE, List.of(new NewTask(id, ENVELOPE, DueTime.in(Duration.ofMinutes(10)),
					TaskPriority.NORMAL, DuplicatePolicy.REPLACE)));
		}
		this.fixture.unreachable.set(false);
		pass(Duration.ofSeconds(3));
		assertThat(isLoaded("a")).isFalse();
		pass(Duration.ofSeconds(6));
		assertThat(isLoaded("a")).isTrue();
		assertThat(isLoaded("b")).isTrue();
	}

	/** As another instance does that dies then. */
	private void write(String id, Duration delay) {
		long due = this.fixture.clock.instant().plus(delay).toEpochMilli();
		Entry entry = new Entry(id, ENVELOPE, due, TaskPriority.NORMAL, DuplicatePolicy.REPLACE, false);
		this.fixture.transaction
			.executeWithoutResult((status) -> this.fixture.store.table().write(QUEUE, List.of(entry)));
	}

	private void pass(Duration time) {
		this.fixture.clock.advance(time);
		this.loading.round();
	}

	private boolean isLoaded(String id) {
		return this.fixture.memory.find(QUEUE, id).isPresent();
	}

}
