package io.github.delayqueue.journal;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.store.Replacement;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static io.github.delayqueue.journal.JournalTableFixture.entry;
import static io.github.delayqueue.journal.JournalTableFixture.rejecting;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Writing tasks: what is there, what it becomes, and its generation.
 */
interface JournalWriteContract extends JournalTableFixture {

	@Test
	default void newTaskWaitsWithTheTimeAsItsGeneration() {
		assertThat(write(JournalTableFixture.arrival("a", bytes("content"), NOW + 5, TaskPriority.HIGH,
				Replacement.REPLACE, false)))
			.containsExactly(new WriteResult(ScheduleOutcome.CREATED, MICROS));
		assertThat(found("a")).usingRecursiveComparison()
			.isEqualTo(new Row("a", MICROS, NOW + 5, TaskPriority.HIGH, bytes("content"), false, null, NOW + 5000));
	}

	@Test
	default void deadTaskIsReplacedAndWaits() {
		deadLettered("a");
		clock().advance(Duration.ofSeconds(1));
		assertThat(write(
				JournalTableFixture.arrival("a", bytes("new"), NOW + 5, TaskPriority.LOW, Replacement.REPLACE, false)))
			.containsExactly(new WriteResult(ScheduleOutcome.REPLACED, MICROS + 1_000_000));
		assertThat(found("a")).usingRecursiveComparison()
			.isEqualTo(
					new Row("a", MICROS + 1_000_000, NOW + 5, TaskPriority.LOW, bytes("new"), false, null, NOW + 6000));
	}

	@Test
	default void entriesOfABatchAreLookedAtEachInItsTime() {
		long beyond = CHECKS.horizonMillis(NOW) + 7;
		write(entry("b", "b", beyond), entry("a"), entry("c", "c", NOW + 70_000));
		assertThat(List.of(checkOf("a"), checkOf("b"), checkOf("c"))).containsExactly(NOW + 5000,
				CheckTimes.FAR + NOW + 6, NOW + 50_000);
		row("d", NOW, CheckTimes.RESTING);
		write(rejecting("d"), rejecting("e"));
		assertThat(checkOf("d")).as("rejected").isEqualTo(CheckTimes.RESTING);
		assertThat(checkOf("e")).isEqualTo(NOW + 5000);
	}

	@Test
	default void generationRisesWhileTheClockStandsStillAndWhenItIsSetBack() {
		List<Long> generations = IntStream.range(0, 4).mapToObj((i) -> {
			if (i == 2) {
				clock().advance(Duration.ofDays(-1));
			}
			return write(entry("a")).get(0).generation();
		}).toList();
		assertThat(generations).containsExactly(MICROS, MICROS + 1, MICROS + 2, MICROS + 3);
	}

	@Test
	default void generationsDoNotComeFromRowsOfOthers() {
		clock().advance(Duration.ofHours(1));
		write(entry("other"));
		clock().set(START);
		assertThat(write(entry("other"), entry("a")).get(1))
			.isEqualTo(new WriteResult(ScheduleOutcome.CREATED, MICROS));
		assertThat(inTransaction(() -> table().write(queue() + "-2", List.of(entry("other")), -1)))
			.containsExactly(new WriteResult(ScheduleOutcome.CREATED, MICROS));
	}

	@Test
	default void taskIsRejectedForTheOneThatIsThere() {
		deadLettered("a");
		clock().advance(Duration.ofSeconds(1));
		assertThat(write(rejecting("a"), rejecting("b"))).containsExactly(
				new WriteResult(ScheduleOutcome.REJECTED, MICROS),
				new WriteResult(ScheduleOutcome.CREATED, MICROS + 1_000_000));
		assertThat(found("a").envelope()).isEqualTo(bytes("a"));
		assertThat(found("a").priority()).isEqualTo(TaskPriority.NORMAL);
		assertThat(found("a").dead()).isTrue();
		assertThat(found("b").envelope()).isEqualTo(bytes("rejecting"));
	}

	@Test
	default void entriesThatRejectAndReplaceAreAnsweredInTheirOrder() {
		written("a", "b", "z");
		assertThat(write(rejecting("z"), entry("b"), entry("y"), rejecting("c"), rejecting("a"), entry("d")))
			.extracting(WriteResult::outcome)
			.containsExactly(ScheduleOutcome.REJECTED, ScheduleOutcome.REPLACED, ScheduleOutcome.CREATED,
					ScheduleOutcome.CREATED, ScheduleOutcome.REJECTED, ScheduleOutcome.CREATED);
	}

	@Test
	default void generatedIdIsCreatedAndReplacedIfItIsKnownAllTheSame() {
		Arrival generated = JournalTableFixture.arrival("a", bytes("a"), NOW, TaskPriority.NORMAL, Replacement.REPLACE,
				true);
		assertThat(write(generated, entry("b"))).extracting(WriteResult::outcome)
			.containsExactly(ScheduleOutcome.CREATED, ScheduleOutcome.CREATED);
		assertThat(write(generated)).containsExactly(new WriteResult(ScheduleOutcome.REPLACED, MICROS + 1));
	}

	@Test
	default void generatedIdsNeedNoTransactionToBeCreatedOrReplaced() {
		Arrival[] generated = Stream.of("a", "b", "c")
			.map((id) -> JournalTableFixture.arrival(id, bytes(id), NOW, TaskPriority.NORMAL, Replacement.REPLACE,
					true))
			.toArray(Arrival[]::new);
		WriteResult created = new WriteResult(ScheduleOutcome.CREATED, MICROS);
		WriteResult replaced = new WriteResult(ScheduleOutcome.REPLACED, MICROS + 1);
		assertThat(table().write(queue(), List.of(generated[0]), -1)).containsExactly(created);
		assertThat(table().write(queue(), List.of(generated[1], generated[2]), -1)).containsExactly(created, created);
		assertThat(table().write(queue(), List.of(generated[0]), -1)).containsExactly(replaced);
		clock().advance(Duration.ofMillis(-1));
		table().delete(queue(), List.of(new Key("a", MICROS + 1)));
		assertThat(table().write(queue(), List.of(generated), -1)).extracting(WriteResult::outcome)
			.containsExactly(ScheduleOutcome.CREATED, ScheduleOutcome.REPLACED, ScheduleOutcome.REPLACED);
		assertThat(new String(found("c").envelope(), StandardCharsets.UTF_8)).isEqualTo("c");
	}

	@Test
	default void largestBatchIsWrittenAndAnsweredInItsOrder() {
		Arrival[] entries = IntStream.range(0, 500)
			.mapToObj((i) -> (i % 3 != 0) ? entry("task-" + (i * 7) % 500) : rejecting("task-" + (i * 7) % 500))
			.toArray(Arrival[]::new);
		written(IntStream.range(0, 250).mapToObj((i) -> "task-" + i).toArray(String[]::new));
		List<WriteResult> written = write(entries);
		for (int i = 0; i < 500; i++) {
			ScheduleOutcome known = (i % 3 != 0) ? ScheduleOutcome.REPLACED : ScheduleOutcome.REJECTED;
			assertThat(written.get(i).outcome()).as(entries[i].taskId())
				.isEqualTo(((i * 7) % 500 < 250) ? known : ScheduleOutcome.CREATED);
		}
		assertThat(count()).isEqualTo(500);
	}

	@Test
	default void anyBytesAreKeptAsTheyAre() {
		byte[] envelope = new byte[1024];
		for (int i = 0; i < envelope.length; i++) {
			envelope[i] = (byte) i;
		}
		write(JournalTableFixture.arrival("a", envelope, NOW, TaskPriority.NORMAL, Replacement.REPLACE, false),
				JournalTableFixture.arrival("b", new byte[0], NOW, TaskPriority.NORMAL, Replacement.REJECT, false));
		assertThat(found("a").envelope()).isEqualTo(envelope);
		assertThat(found("b").envelope()).isEmpty();
		table().deadLetter(queue(), found("a").key(), envelope);
		assertThat(found("a").failure()).isEqualTo(envelope);
	}

	@Test
	default void largestEnvelopeIsKept() {
		byte[] envelope = new byte[16 * 1024 * 1024];
		envelope[envelope.length - 1] = 1;
		write(JournalTableFixture.arrival("a", envelope, NOW, TaskPriority.NORMAL, Replacement.REPLACE, false));
		assertThat(found("a").envelope()).isEqualTo(envelope);
	}

	@Test
	default void nothingIsLeftOfATransactionThatIsRolledBack() {
		written("a");
		transactions().executeWithoutResult((status) -> {
			table().write(queue(), List.of(entry("a", "new", NOW), rejecting("b")), -1);
			assertThat(found("a").envelope()).isEqualTo(bytes("new"));
			assertThat(find("b")).isPresent();
			table().delete(queue(), List.of(found("b").key()));
			status.setRollbackOnly();
		});
		assertThat(found("a").envelope()).isEqualTo(bytes("a"));
		assertThat(find("b")).isEmpty();
	}

	@Test
	default void rejectionDoesNotSpoilTheTransaction() {
		written("a");
		doInTransaction(() -> {
			table().write(queue(), List.of(rejecting("a")), -1);
			table().write(queue(), List.of(entry("b")), -1);
		});
		assertThat(find("b")).isPresent();
	}

}
