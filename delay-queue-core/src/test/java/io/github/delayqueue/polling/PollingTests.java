package io.github.delayqueue.polling;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.ParameterizedTypeReference;

import io.github.delayqueue.DeadReason;
import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.UnsupportedEnvelopeException;
import io.github.delayqueue.event.DeliveryOutcome;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.RecordingEvents;
import io.github.delayqueue.fixtures.Step;
import io.github.delayqueue.limits.GlobalConcurrency;
import io.github.delayqueue.limits.RateLimit;
import io.github.delayqueue.management.QueueSteps;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.producer.ClaimedTask;
import io.github.delayqueue.producer.DelayQueueTemplate;
import io.github.delayqueue.producer.TaskDetails;
import io.github.delayqueue.producer.TaskRequest;
import io.github.delayqueue.roles.DelegatingTaskStore;
import io.github.delayqueue.roles.History;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.PartlySettledException;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for claiming by hand.
 */
class PollingTests {

	private static final Duration LEASE_DURATION = Duration.ofMinutes(1);

	private final PollingFixture fixture = new PollingFixture();

	private final DelayQueueTemplate template = this.fixture.template;

	private final List<String> events = this.fixture.recorded.events();

	@Test
	void historyKnowsWhatWasClaimedLate() {
		this.template.schedule("q", "late", List.of(1), Duration.ofSeconds(5));
		this.fixture.clock.advance(Duration.ofSeconds(7));
		this.template.poll("q", 10, LEASE_DURATION).forEach(ClaimedTask::complete);
		assertThat(QueueView.of(this.fixture.store).history("q").hours()).singleElement()
			.returns(1L, History.Hour::completed)
			.returns(1L, History.Hour::late)
			.satisfies((hour) -> assertThat(hour.handling()).isPositive());
	}

	@Test
	void claimsWhatIsDueAndNothingElse() {
		this.template.schedule("q", "due", List.of(1), Duration.ofSeconds(5));
		this.template.schedule("q", "later", List.of(1), Duration.ofSeconds(9));
		assertThat(this.template.poll("q", 10, LEASE_DURATION)).isEmpty();
		this.fixture.clock.advance(Duration.ofSeconds(7));
		ClaimedTask task = poll();
		assertThat(task.queue()).isEqualTo("q");
		assertThat(task.id()).isEqualTo("due");
		assertThat(task.dueAt()).isEqualTo(PollingFixture.START.plusSeconds(5));
		assertThat(task.priority()).isEqualTo(TaskPriority.NORMAL);
		assertThat(task.attempt()).isEqualTo(1);
		assertThat(task.leasesLost()).isZero();
		assertThat(task.headers()).isEmpty();
		assertThat(task.payloadJson()).isEqualTo("[1]");
		assertThat(task.payload(Object.class)).isEqualTo(List.of(1));
		assertThat(task.payload(new ParameterizedTypeReference<List<Long>>() {
		})).containsExactly(1L);
		assertThat(this.fixture.recorded.starts()).singleElement()
			.satisfies((start) -> assertThat(start.lateness()).isBetween(Duration.ofSeconds(2),
					Duration.ofSeconds(2).plus(Patience.LIMIT)));
		assertThat(this.template.poll("q", 10, LEASE_DURATION)).isEmpty();
	}

	@Test
	void partsAreToldBeforeThereAreLeases() {
		List<Integer> claims = new ArrayList<>();
		schedule("a");
		this.fixture.onUse = () -> claims.add(this.fixture.store.calls(Step.CLAIM));
		poll();
		assertThat(claims).containsExactly(0);
	}

	/** After a restore from a checkpoint several processes go on from there. */
	@Test
	void templateThatIsStartedAgainHasTokensIdsAndATraceOfItsOwn() {
		List<String> tokens = new ArrayList<>();
		DelayQueueTemplate restarted = PollingTemplates.create(new DelegatingTaskStore(this.fixture.store) {

			@Override
			public ClaimResult claim(String queue, ClaimRequest request) {
				tokens.add(request.token().substring(0, request.token().indexOf('-')));
				return super.claim(queue, request);
			}

		}, this.fixture.codec, this.fixture.events, (queue) -> this.fixture.settings);
		String first = restarted.schedulePayload("q", "payload", Duration.ZERO).taskId();
		List<ClaimedTask> held = restarted.poll("q", 1, LEASE_DURATION);
		restarted.stop();
		restarted.start();
		String second = restarted.schedulePayload("q", "payload", Duration.ZERO).taskId();
		assertThat(second.substring(11)).isNotEqualTo(first.substring(11));
		assertThat(restarted.poll("q", 1, LEASE_DURATION)).hasSize(1);
		assertThat(tokens).doesNotHaveDuplicates();
		assertThat(held).singleElement().returns(true, ClaimedTask::complete);
		restarted.destroy();
	}

	@Test
	void settlementThatIsHeldBackForAMomentIsWaitedFor() {
		schedule("a");
		ClaimedTask task = poll();
		int before = this.fixture.store.calls(Step.SETTLE);
		this.fixture.store.before(Step.SETTLE, () -> {
			if (this.fixture.store.calls(Step.SETTLE) < before + 3) {
				throw new PartlySettledException("q", Collections.singletonList(null));
			}
		});
		assertThat(task.complete()).isTrue();
		assertThat(this.fixture.store.calls(Step.SETTLE)).isEqualTo(before + 3);
	}

	@Test
	void settlementThatIsHeldBackForLongIsAnErrorThatNamesTheTaskAndCanBeRepeated() {
		schedule("a");
		ClaimedTask task = poll();
		this.fixture.store.before(Step.SETTLE, () -> {
			throw new PartlySettledException("q", Collections.singletonList(null));
		});
		assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(task::complete)
			.withMessageContaining("'a'")
			.withMessageContaining("before a transaction has ended that has cancelled, moved or replaced");
		this.fixture.store.heal();
		assertThat(task.complete()).isTrue();
	}

	@Test
	void pollTrimsWhatTheRetentionSays() {
		this.fixture.settings = QueueOptions.builder().deadLetterMaxSize(1L).build();
		this.fixture.deadLetter("q", "a");
		this.fixture.clock.advance(Duration.ofSeconds(1));
		this.fixture.deadLetter("q", "b");
		this.fixture.clock.advance(Duration.ofSeconds(1));
		assertThat(this.template.poll("q", 1, LEASE_DURATION)).isEmpty();
		assertThat(this.events).endsWith("purge [a]");
	}

	@Test
	void pollsRemoveWhatHasPiledUpAThousandAtATimeAndThenOnceASecond() {
		this.fixture.settings = QueueOptions.builder().completedRetention(Duration.ofMinutes(1)).build();
		for (int i = 0; i < 5; i++) {
			String token = "token-" + i;
			this.fixture.store.schedule("q",
					IntStream.range(0, 500)
						.mapToObj((j) -> new NewTask(token + "-" + j, new byte[0], DueTime.in(Duration.ZERO),
								TaskPriority.NORMAL, Replacement.REPLACE))
						.toList());
			this.fixture.store.settle("q",
					this.fixture.store.claim("q", ClaimRequest.of(token, 500, LEASE_DURATION))
						.tasks()
						.stream()
						.map((task) -> Endings.complete(task.id(), token, true))
						.toList());
		}
		this.fixture.clock.advance(Duration.ofMinutes(1));
		for (long left : List.of(1500L, 500L, 0L, 0L)) {
			this.template.poll("q", 1, LEASE_DURATION);
			assertThat(QueueView.of(this.fixture.store).stats("q").completed()).isEqualTo(left);
		}
		assertThat(this.fixture.store.calls(Step.TEND)).isEqualTo(3);
	}

	@Test
	void pollKeepsToTheLimitsForAllConsumers() {
		this.fixture.settings = QueueOptions.builder()
			.with(RateLimit.OPTION, RateLimit.parse("1/s"))
			.with(GlobalConcurrency.OPTION, new GlobalConcurrency(2))
			.build();
		schedule("a");
		schedule("b");
		schedule("c");
		assertThat(this.template.poll("q", 10, LEASE_DURATION)).hasSize(1);
		assertThat(this.template.poll("q", 10, LEASE_DURATION)).isEmpty();
		this.fixture.clock.advance(Duration.ofSeconds(1));
		assertThat(this.template.poll("q", 10, LEASE_DURATION)).hasSize(1);
		this.fixture.clock.advance(Duration.ofSeconds(1));
		assertThat(this.template.poll("q", 10, LEASE_DURATION)).isEmpty();
	}

	@Test
	void completeSchedulesARecurringTaskForItsNextTime() {
		this.template.schedule(hourly().build());
		this.fixture.clock.advance(Duration.ofMinutes(90));
		ClaimedTask task = poll();
		assertThat(task.recurrence()).hasToString("every 1 h");
		assertThat(task.dueAt()).isEqualTo(PollingFixture.START.plus(Duration.ofHours(1)));
		assertThat(task.complete()).isTrue();
		assertThat(task.complete()).isFalse();
		TaskDetails details = details("hourly");
		assertThat(details.state()).isEqualTo(TaskState.SCHEDULED);
		assertThat(details.dueAt()).isEqualTo(PollingFixture.START.plus(Duration.ofHours(2)));
		assertThat(details.recurrence()).isEqualTo(task.recurrence());
		assertThat(this.events).endsWith("end hourly SUCCESS", "end hourly STALE");
	}

	@Test
	void runThatIsTooLateIsNotPolledAndTheTaskGoesOn() {
		this.template.schedule(hourly().expiresAfter(Duration.ofMinutes(5)).build());
		this.fixture.clock.advance(Duration.ofMinutes(66));
		assertThat(this.template.poll("q", 10, LEASE_DURATION)).isEmpty();
		TaskDetails details = details("hourly");
		assertThat(details.dueAt()).isEqualTo(PollingFixture.START.plus(Duration.ofHours(2)));
		assertThat(details.lastFailure().reason()).isEqualTo(DeadReason.EXPIRED);
		assertThat(this.events.get(this.events.size() - 1)).startsWith("end hourly FAILED");
	}

	private static TaskRequest.Builder hourly() {
		return TaskRequest.queue("q").id("hourly").every(Duration.ofHours(1));
	}

	@Test
	void againDeliversOnceMoreAfterTheDelayAsIfNew() {
		schedule("a");
		assertThat(poll().retry(Duration.ZERO)).isTrue();
		ClaimedTask task = poll();
		assertThat(task.attempt()).isEqualTo(2);
		assertThat(task.runAgain(Duration.ofSeconds(5))).isTrue();
		this.fixture.clock.advance(Duration.ofSeconds(5));
		assertThat(poll()).returns(1, ClaimedTask::attempt).returns(this.fixture.clock.instant(), ClaimedTask::dueAt);
	}

	@Test
	void retryDeliversAgainAfterTheDelay() {
		schedule("a");
		assertThat(poll().retry(Duration.ofSeconds(3))).isTrue();
		assertThat(this.events).endsWith("end a RETRY A retry was asked for by hand");
		assertThat(this.template.poll("q", 10, LEASE_DURATION)).isEmpty();
		this.fixture.clock.advance(Duration.ofSeconds(3));
		assertThat(poll().attempt()).isEqualTo(2);
	}

	@Test
	void deadLetterKeepsTheReason() {
		schedule("a");
		assertThat(poll().deadLetter("no use")).isTrue();
		assertThat(details("a").state()).isEqualTo(TaskState.DEAD);
		assertThat(details("a").lastFailure().reason()).isEqualTo(DeadReason.DEAD_LETTERED);
		assertThat(details("a").lastFailure().message()).isEqualTo("no use");
		assertThat(details("a").lastFailure().at()).isBetween(PollingFixture.START,
				PollingFixture.START.plus(Patience.LIMIT));
		assertThat(this.events).endsWith("end a DEAD no use");
	}

	@Test
	void releaseChargesNothing() {
		schedule("a");
		ClaimedTask task = poll();
		assertThat(task.release()).isTrue();
		assertThat(task.release()).isFalse();
		assertThat(this.events).endsWith("end a STALE");
		assertThat(poll().attempt()).isEqualTo(1);
	}

	@Test
	void extendKeepsTheLease() {
		schedule("a");
		ClaimedTask task = poll();
		this.fixture.clock.advance(Duration.ofSeconds(50));
		assertThat(task.extend(LEASE_DURATION)).isTrue();
		this.fixture.clock.advance(Duration.ofSeconds(50));
		assertThat(this.template.poll("q", 10, LEASE_DURATION)).isEmpty();
		assertThat(task.complete()).isTrue();
		assertThat(task.extend(LEASE_DURATION)).isFalse();
	}

	@Test
	void taskWhoseLeaseRanOutIsClaimedAgainAndTheFirstHolderIsStale() {
		schedule("a");
		ClaimedTask first = poll();
		this.fixture.clock.advance(LEASE_DURATION);
		ClaimedTask second = poll();
		assertThat(second.leasesLost()).isEqualTo(1);
		assertThat(this.events).contains("lease lost a 1");
		assertThat(first.complete()).isFalse();
		assertThat(second.complete()).isTrue();
	}

	@Test
	void tokensOfSeveralCallsAndProducersDiffer() {
		List<String> tokens = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			schedule("a" + i);
			tokens.add(((PolledTask) poll()).run().token());
		}
		DelayQueueTemplate other = PollingTemplates.create(this.fixture.store, this.fixture.codec, this.fixture.events,
				(queue) -> this.fixture.settings);
		schedule("b");
		tokens.add(((PolledTask) other.poll("q", 1, LEASE_DURATION).get(0)).run().token());
		assertThat(tokens).doesNotHaveDuplicates().allMatch((token) -> token.matches("[0-9a-z]+-[0-9a-z]+"));
	}

	@Test
	void oneCallInEightTakesTheOldestWhateverItsPriority() {
		schedule("old", TaskPriority.LOW);
		this.fixture.clock.advance(Duration.ofSeconds(1));
		List<String> claimed = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			schedule("high" + i, TaskPriority.HIGH);
			claimed.add(poll().id());
		}
		assertThat(claimed).endsWith("old").doesNotHaveDuplicates();
		assertThat(claimed.indexOf("old")).isEqualTo(7);
	}

	@Test
	void taskThatCannotBeReadCanBeDeadLettered() {
		NewTask broken = new NewTask("a", "secret".getBytes(StandardCharsets.UTF_8), DueTime.in(Duration.ZERO),
				TaskPriority.NORMAL, Replacement.REPLACE);
		this.fixture.store.schedule("q", List.of(broken));
		ClaimedTask task = poll();
		assertThat(task.payloadJson()).isNull();
		assertThat(task.headers()).isEmpty();
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> task.payload(String.class))
			.withMessageStartingWith("Task 'a' of queue 'q' cannot be read: Envelope is not JSON")
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("secret"));
		assertThat(task.deadLetter("not readable")).isTrue();
		assertThat(details("a").state()).isEqualTo(TaskState.DEAD);
	}

	@Test
	void taskThatLosesItsLastLeaseDiesInsteadOfBeingHandedOut() {
		schedule("a");
		this.fixture.settings = QueueOptions.builder().maxLeaseLosses(2).build();
		poll();
		this.fixture.clock.advance(LEASE_DURATION);
		assertThat(poll().leasesLost()).isOne();
		this.fixture.clock.advance(LEASE_DURATION);
		assertThat(this.template.poll("q", 1, LEASE_DURATION)).isEmpty();
		assertThat(details("a").state()).isEqualTo(TaskState.DEAD);
		assertThat(details("a").lastFailure().reason()).isEqualTo(DeadReason.LEASES_EXHAUSTED);
		assertThat(details("a").lastFailure().message()).contains("2 times", "retry.max-lease-losses");
		assertThat(details("a").failures()).isZero();
	}

	@Test
	void pollTakesOneTaskAtATimeThatMayLoseNoFurtherLease() {
		schedule("a");
		schedule("b");
		this.fixture.settings = QueueOptions.builder().maxLeaseLosses(2).build();
		assertThat(this.template.poll("q", 2, LEASE_DURATION)).hasSize(2);
		this.fixture.clock.advance(LEASE_DURATION);
		assertThat(this.template.poll("q", 9, LEASE_DURATION)).extracting(ClaimedTask::id).containsExactly("a");
		assertThat(this.template.poll("q", 9, LEASE_DURATION)).extracting(ClaimedTask::id).containsExactly("b");
	}

	@Test
	void taskWhoseIdIsNoneDiesInsteadOfBeingHandedOut() {
		String id = "line\nfeed";
		this.fixture.store.schedule("q", List.of(new NewTask(id, "{\"v\":1}".getBytes(StandardCharsets.UTF_8),
				DueTime.in(Duration.ZERO), TaskPriority.NORMAL, Replacement.REPLACE)));
		assertThat(this.template.poll("q", 1, LEASE_DURATION)).isEmpty();
		StoredTask task = this.fixture.store.find("q", id).orElseThrow();
		assertThat(task.state()).isEqualTo(TaskState.DEAD);
		assertThat(new String(task.failure(), StandardCharsets.UTF_8)).contains(DeadReason.UNREADABLE.name(), "Its id");
	}

	@Test
	void expiredTasksDieInsteadOfBeingHandedOut() {
		this.template.schedule(TaskRequest.queue("q").id("own").expiresAfter(Duration.ofMinutes(2)).build());
		schedule("a");
		this.fixture.settings = QueueOptions.builder().expiresAfter(Duration.ofSeconds(5)).build();
		this.fixture.clock.advance(Duration.ofSeconds(7));
		assertThat(poll().id()).isEqualTo("own");
		assertThat(details("a").state()).isEqualTo(TaskState.DEAD);
		assertThat(details("a").lastFailure().reason()).isEqualTo(DeadReason.EXPIRED);
		assertThat(details("a").failures()).isZero();
		assertThat(this.fixture.recorded.started()).containsExactly("own");
		assertThat(details("a").lastFailure().message())
			.matches("Overdue by ([7-9]|\\d\\d)s.* when it was claimed, more than 5s \\(expires-after\\)");
		assertThat(this.fixture.recorded.ends()).singleElement()
			.returns("a", RecordingEvents.End::taskId)
			.returns(DeliveryOutcome.DEAD, RecordingEvents.End::outcome)
			.returns(Duration.ZERO, RecordingEvents.End::took);
	}

	@Test
	void failureToDeadLetterExpiredTasksDoesNotCostTheOthers() {
		this.template.schedule(TaskRequest.queue("q").id("a").expiresAfter(Duration.ofSeconds(1)).build());
		schedule("b");
		this.fixture.clock.advance(Duration.ofSeconds(7));
		this.fixture.store.fail(Step.SETTLE);
		assertThat(poll().id()).isEqualTo("b");
		assertThat(details("a").state()).isEqualTo(TaskState.IN_FLIGHT);
	}

	@Test
	void taskOfALaterVersionIsHandedBackForWhoeverKnowsIt() {
		this.fixture.store.schedule("q", List.of(new NewTask("a", "{\"v\":99}".getBytes(StandardCharsets.UTF_8),
				DueTime.in(Duration.ZERO), TaskPriority.NORMAL, Replacement.REPLACE)));
		assertThat(this.template.poll("q", 1, LEASE_DURATION)).isEmpty();
		StoredTask task = this.fixture.store.find("q", "a").orElseThrow();
		assertThat(task.state()).isEqualTo(TaskState.SCHEDULED);
		assertThat(task.dueAt()).isEqualTo(PollingFixture.START.plusSeconds(10));
		assertThat(this.fixture.recorded.pollErrors()).singleElement().isInstanceOf(UnsupportedEnvelopeException.class);
	}

	@Test
	void pollThatFailsIsToldAndThrown() {
		this.fixture.store.fail(Step.CLAIM);
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.template.poll("q", 1, LEASE_DURATION))
			.withMessage("Could not reach queue 'q'");
		assertThat(this.events).containsExactly("poll error Could not reach queue 'q'");
	}

	@Test
	void tasksOfAPollWhoseAnswerIsLostAreReleasedByTheNextOne() {
		schedule("a");
		this.fixture.store.loseAnswers(Step.CLAIM);
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.template.poll("q", 1, LEASE_DURATION));
		this.fixture.store.heal();
		assertThat(this.template.poll("q", 1, LEASE_DURATION)).isEmpty();
		assertThat(poll().leasesLost()).isZero();
		assertThat(this.template.poll("q", 1, LEASE_DURATION)).isEmpty();
	}

	@Test
	void settlementThatFailsNamesTheTaskAndCanBeRepeated() {
		schedule("a");
		ClaimedTask task = poll();
		this.fixture.store.fail(Step.SETTLE);
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(task::complete)
			.withMessage("Task 'a': Could not reach queue 'q'");
		this.fixture.store.heal();
		assertThat(task.complete()).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "0, PT1S, 'limit must be 1 to 500, but is 0'", "501, PT1S, 'limit must be 1 to 500, but is 501'",
			"1, PT0S, 'leaseDuration must be at least a millisecond, but is 0s'",
			"1, PT-2562047788015215H-30M-8S, 'leaseDuration must be at least a millisecond, but is -106751991167300d15h30m7s'" })
	void pollIsBounded(int limit, Duration leaseDuration, String message) {
		assertThatExceptionOfType(DelayQueueException.class)
			.isThrownBy(() -> this.template.poll("q", limit, leaseDuration))
			.withMessage("Queue 'q': " + message);
		assertThat(this.fixture.store.calls()).isEmpty();
	}

	private void schedule(String id) {
		schedule(id, TaskPriority.NORMAL);
	}

	private void schedule(String id, TaskPriority priority) {
		this.template.schedule(TaskRequest.queue("q").id(id).payload(id).priority(priority).build());
	}

	private ClaimedTask poll() {
		List<ClaimedTask> tasks = this.template.poll("q", 1, LEASE_DURATION);
		if (tasks.isEmpty()) {
			tasks = this.template.poll("q", 1, LEASE_DURATION);
		}
		assertThat(tasks).hasSize(1);
		return tasks.get(0);
	}

	private TaskDetails details(String id) {
		Optional<TaskDetails> found = new QueueSteps(this.fixture.store, this.fixture.codec).find("q", id);
		assertThat(found).isPresent();
		return found.get();
	}

}
