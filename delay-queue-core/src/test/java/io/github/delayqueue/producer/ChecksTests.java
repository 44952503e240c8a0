package io.github.delayqueue.producer;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.ArgumentCaptor;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.QueueCheck;
import io.github.delayqueue.QueueCheck.Finding;
import io.github.delayqueue.QueueCheck.Kind;
import io.github.delayqueue.QueueCheck.Sums;
import io.github.delayqueue.TaskFailure;
import io.github.delayqueue.store.TaskStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link Checks} and what {@link DelayQueueTemplate} makes of them.
 */
class ChecksTests {

	private static final Sums OLD = new Sums(7, 7, 7, 7, 0);

	private static final Sums NEW = new Sums(9, 9, 9, 9, 0);

	private final ProducerFixture fixture = new ProducerFixture();

	private final TaskStore damaged = mock();

	private final Checks checks = new Checks(this.damaged, this.fixture.codec,
			Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));

	@Test
	void wholeQueueIsCheckedAndRepairedInPages() {
		int tasks = 2 * Checks.PAGE + 1;
		IntStream.range(0, tasks).forEach((i) -> this.fixture.template.schedule("q", "task-" + i, i, Duration.ZERO));
		assertThat(this.fixture.template.check("q"))
			.isEqualTo(new QueueCheck(null, tasks, List.of(), new Sums(tasks, tasks, tasks, tasks, 0)));
		assertThat(this.fixture.store.calls("check")).hasSize(3);
		assertThat(this.fixture.template.repair("q").isClean()).isTrue();
		assertThat(this.fixture.store.calls("check")).hasSize(6);
	}

	@Test
	void walkGathersFindingsOnceAndAnswersTheLastSums() {
		given(this.damaged.check("q", null, Checks.PAGE, null))
			.willReturn(new QueueCheck("1", 500, List.of(lost(1), lost(2)), OLD));
		given(this.damaged.check("q", "1", Checks.PAGE, null))
			.willReturn(new QueueCheck("2", 400, List.of(lost(2)), OLD));
		given(this.damaged.check("q", "2", Checks.PAGE, null))
			.willReturn(new QueueCheck(null, 30, List.of(lost(3)), NEW));
		QueueCheck check = Checks.all((cursor) -> this.checks.check("q", cursor, Checks.PAGE));
		assertThat(check).isEqualTo(new QueueCheck(null, 930, List.of(lost(1), lost(2), lost(3)), NEW));
		assertThat(check.isClean()).isFalse();
	}

	@Test
	void walkThatFindsTooMuchEndsWithACursor() {
		given(this.damaged.check(eq("q"), any(), anyInt(), any())).willAnswer((call) -> {
			int page = (call.getArgument(1) != null) ? Integer.parseInt(call.getArgument(1)) : 0;
			return new QueueCheck(Integer.toString(page + 1), 500,
					IntStream.range(0, 500).mapToObj((i) -> lost(page * 500 + i)).toList(), OLD);
		});
		QueueCheck check = Checks.all((cursor) -> this.checks.check("q", cursor, Checks.PAGE));
		assertThat(check.findings()).hasSize(10_000);
		assertThat(check.cursor()).isEqualTo("20");
	}

	@Test
	void repairDescribesWhatTasksThatWereInNoIndexDiedOf() {
		given(this.damaged.check(eq("q"), eq("1"), eq(10), any())).willReturn(new QueueCheck(null, 1, List.of(), OLD));
		this.checks.repair("q", "1", 10);
		ArgumentCaptor<byte[]> failure = ArgumentCaptor.captor();
		then(this.damaged).should().check(eq("q"), eq("1"), eq(10), failure.capture());
		TaskFailure read = this.fixture.codec.readFailure(failure.getValue());
		assertThat(read.reason()).isEqualTo(DeadReason.RECOVERED);
		assertThat(read.message()).contains("in no index of its queue");
		assertThat(read.at()).isEqualTo(Instant.EPOCH);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, -1, 1001 })
	void limitsThatAreNotAllowedAreRefused(int limit) {
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.fixture.template.check("q", null, limit))
			.withMessageContaining("limit must be 1 to 1000");
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.fixture.template.repair("q", null, limit))
			.withMessageContaining("limit must be 1 to 1000");
	}

	@Test
	void cursorsAndNamesThatAreNotAllowedAreRefused() {
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.fixture.template.check("q", "nonsense", 10))
			.withMessageContaining("Queue 'q'")
			.withMessageContaining("cursor")
			.withCauseInstanceOf(IllegalArgumentException.class);
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.fixture.template.repair("q", "nonsense", 10))
			.withMessageContaining("cursor");
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> this.fixture.template.check("{q}"))
			.withMessageContaining("not allowed");
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> this.fixture.template.repair("{q}"))
			.withMessageContaining("not allowed");
	}

	private static Finding lost(int number) {
		return new Finding(Kind.RECORD_WITHOUT_INDEX, "task-" + number, List.of(), null);
	}

}
