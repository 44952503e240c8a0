package io.github.delayqueue.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.delayqueue.DuplicatePolicy;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.store.RandomHistory.Divergence;
import io.github.delayqueue.store.Settlement.Action;
import io.github.delayqueue.store.memory.InMemorySubject;
import io.github.delayqueue.testsupport.MutableClock;
import io.github.delayqueue.testsupport.SelfTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whether random histories find what they are made to find, and tell it well.
 */
@SelfTest
class RandomHistoryTests {

	private static final int SEQUENCES = 1000;

	private final MutableClock clock = new MutableClock(TaskStoreFixture.START);

	private final HistorySubject model = new InMemorySubject(this.clock);

	@ParameterizedTest
	@EnumSource
	void faultIsFoundAndShownByFewOperations(Fault fault) {
		HistorySubject faulty = new FaultySubject(new InMemorySubject(this.clock), fault);
		String message = FaultFinder.find(this.model, faulty, this.clock, SEQUENCES).message();
		assertThat(message).containsPattern("Seed \\d+, shortest failing prefix \\d+ operations")
			.containsPattern("Repeat: mvn test -Dhistory\\.seed=\\d+")
			.containsPattern("Shrunk to \\d+ operations:");
	}

	@Test
	void seedRepeatsAHistory() {
		assertThat(divergence(14).operations()).hasSizeGreaterThan(1)
			.asString()
			.isEqualTo(divergence(14).operations().toString())
			.isNotEqualTo(divergence(15).operations().toString());
	}

	@Test
	void messageShowsOperationsAndWhatDiffers() {
		HistorySubject faulty = new FaultySubject(new InMemorySubject(this.clock), Fault.CANCEL_OF_ONE_ID_DOES_NOTHING);
		assertThat(FaultFinder.find(this.model, faulty, this.clock, SEQUENCES).message()).containsPattern("""
				Shrunk to 2 operations:
				   1\\. schedule a .*
				   2\\. cancel a
				different answer \\(- expected, \\+ actual\\):
				- true
				\\+ false
				different state \\(- expected, \\+ actual\\):
				- Totals\\[.*cancelled=1,.*
				\\+ a: SCHEDULED .*
				\\+ Totals\\[.*cancelled=0,.*""");
	}

	private Divergence divergence(long seed) {
		HistorySubject faulty = new FaultySubject(new InMemorySubject(this.clock), Fault.EVERY_CLAIM_COUNTS_AS_LATE);
		Divergence divergence = new RandomHistory(seed, 100).run(new SideBySide(this.model, faulty, this.clock),
				new HistoryCoverage());
		assertThat(divergence).isNotNull();
		return divergence;
	}

	/**
	 * A store that has a fault.
	 *
	 * @param subject the store without it
	 * @param fault the fault
	 */
	private record FaultySubject(HistorySubject subject, Fault fault) implements HistorySubject {

		@Override
		public PartitionStore begin() {
			PartitionStore store = this.subject.begin();
			return (PartitionStore) Proxy.newProxyInstance(PartitionStore.class.getClassLoader(),
					new Class<?>[] { PartitionStore.class },
					(proxy, method, arguments) -> this.fault.invoke(store, method, arguments));
		}

		@Override
		public String queue() {
			return this.subject.queue();
		}

		@Override
		public QueueImage look() {
			return this.subject.look();
		}

		@Override
		public List<Duration> wakes() {
			return this.subject.wakes();
		}

	}

	/**
	 * Something a store may do wrong.
	 */
	enum Fault {

		CANCEL_OF_ONE_ID_DOES_NOTHING("cancel", (arguments) -> {
			// not of one with a generation
			arguments[1] = (arguments.length == 2 && "a".equals(arguments[1])) ? "unknown" : arguments[1];
			return arguments;
		}),

		RESCHEDULE_IS_A_MILLISECOND_LATE("reschedule", (arguments) -> {
			DueTime due = (DueTime) arguments[2];
			arguments[2] = new DueTime(due.relative(), due.millis() + 1);
			return arguments;
		}),

		CLAIM_IGNORES_BYTES("claim", (arguments) -> {
			ClaimRequest request = (ClaimRequest) arguments[1];
			arguments[1] = new ClaimRequest(request.token(), request.limit(), request.lostLeaseLimit(), request.ttr(),
					Long.MAX_VALUE, request.oldestFirst(), request.retention(), request.limits());
			return arguments;
		}),

		CLAIM_IGNORES_OLDEST_FIRST("claim", (arguments) -> {
			ClaimRequest request = (ClaimRequest) arguments[1];
			arguments[1] = new ClaimRequest(request.token(), request.limit(), request.lostLeaseLimit(), request.ttr(),
					request.maxBytes(), false, request.retention(), request.limits());
			return arguments;
		}),

		CLAIM_KEEPS_DEAD_TASKS("claim", (arguments) -> {
			ClaimRequest request = (ClaimRequest) arguments[1];
			arguments[1] = new ClaimRequest(request.token(), request.limit(), request.lostLeaseLimit(), request.ttr(),
					request.maxBytes(), request.oldestFirst(),
					new Retention(request.retention().completed(), Duration.ofDays(1), null), request.limits());
			return arguments;
		}),

		CLAIM_TAKES_NO_LOST_LEASE("claim", (arguments) -> {
			ClaimRequest request = (ClaimRequest) arguments[1];
			arguments[1] = new ClaimRequest(request.token(), request.limit(), 0, request.ttr(), request.maxBytes(),
					request.oldestFirst(), request.retention(), request.limits());
			return arguments;
		}),

		CLAIM_KEEPS_TO_NO_RATE("claim", (arguments) -> {
			ClaimRequest request = (ClaimRequest) arguments[1];
			arguments[1] = request.withLimits(new FlowLimits(null, request.limits().inFlight()));
			return arguments;
		}),

		CLAIM_ALLOWS_ONE_TOO_MANY_IN_FLIGHT("claim", (arguments) -> {
			ClaimRequest request = (ClaimRequest) arguments[1];
			Integer inFlight = request.limits().inFlight();
			arguments[1] = request.withLimits(
					new FlowLimits(request.limits().rate(), (inFlight != null) ? Integer.valueOf(inFlight + 1) : null));
			return arguments;
		}),

		CLAIMS_SHARE_A_TOKEN("claim", (arguments) -> {
			ClaimRequest request = (ClaimRequest) arguments[1];
			arguments[1] = new ClaimRequest("w1", request.limit(), request.lostLeaseLimit(), request.ttr(),
					request.maxBytes(), request.oldestFirst(), request.retention(), request.limits());
			return arguments;
		}),

		EVERY_CLAIM_COUNTS_AS_LATE("claim", (arguments) -> arguments, (answer) -> {
			ClaimResult result = (ClaimResult) answer;
			return new ClaimResult(result.tasks(), result.now().plusMillis(1), result.wakeIn(), result.paused(),
					result.purged(), result.orphans());
		}),

		SCHEDULE_REPLACES_WHAT_IT_SHOULD_REJECT("schedule", (arguments) -> {
			arguments[1] = ((List<?>) arguments[1]).stream()
				.map(NewTask.class::cast)
				.map((task) -> new NewTask(task.id(), task.envelope(), task.due(), task.priority(),
						DuplicatePolicy.REPLACE))
				.toList();
			return arguments;
		}),

		BATCH_OF_SETTLEMENTS_IS_TAKEN_BACKWARDS("settle", Fault::reversed, Fault::reversedAnswer),

		STALE_EXTENSION_IS_ANSWERED_AS_APPLIED("extend", (arguments) -> arguments,
				(answer) -> ((List<?>) answer).stream().map((flag) -> true).toList()),

		RELEASE_CHARGES_A_FAILURE("settle", (arguments) -> {
			arguments[1] = ((List<?>) arguments[1]).stream()
				.map(Settlement.class::cast)
				.map((its) -> new Settlement(its.taskId(), its.token(), its.action(), true, its.delay(), its.failure(),
						its.next(), its.late(), its.handling()))
				.toList();
			return arguments;
		}),

		REPEAT_IS_COUNTED_AS_SKIPPED("settle", (arguments) -> {
			arguments[1] = ((List<?>) arguments[1]).stream()
				.map(Settlement.class::cast)
				.map((its) -> (its.action() == Action.REPEAT)
						? Settlement.skip(its.taskId(), its.token(), false, null, Objects.requireNonNull(its.next()))
							.handled(its.late(), its.handling())
						: its)
				.toList();
			return arguments;
		}),

		NEXT_RUN_IS_A_MILLISECOND_LATE("settle", (arguments) -> {
			arguments[1] = ((List<?>) arguments[1]).stream()
				.map(Settlement.class::cast)
				.map((its) -> (its.next() != null && its.next().isBefore(Instant.MAX))
						? new Settlement(its.taskId(), its.token(), its.action(), its.countFailure(), its.delay(),
								its.failure(), its.next().plusMillis(1), its.late(), its.handling())
						: its)
				.toList();
			return arguments;
		}),

		PURGE_TAKES_DEAD_FOR_COMPLETED("purge", (arguments) -> {
			arguments[1] = TaskState.DEAD;
			return arguments;
		}),

		PAGE_IS_ONE_TOO_LONG("list", (arguments) -> {
			arguments[3] = (int) arguments[3] + ((arguments[4] != Contents.SMALL) ? 1 : 0);
			return arguments;
		});

		private final String method;

		private final UnaryOperator<Object[]> change;

		private final UnaryOperator<Object> answerChange;

		Fault(String method, UnaryOperator<Object[]> change) {
			this(method, change, (answer) -> answer);
		}

		Fault(String method, UnaryOperator<Object[]> change, UnaryOperator<Object> answerChange) {
			this.method = method;
			this.change = change;
			this.answerChange = answerChange;
		}

		private static Object[] reversed(Object[] arguments) {
			arguments[1] = reversedAnswer(arguments[1]);
			return arguments;
		}

		private static Object reversedAnswer(Object list) {
			List<?> reversed = new ArrayList<>((List<?>) list);
			Collections.reverse(reversed);
			return reversed;
		}

		private static boolean isChecked(Object argument) {
			return argument instanceof ScheduleOptions options && !options.partitions().isEmpty();
		}

		private Object invoke(PartitionStore store, Method method, Object[] arguments) throws Throwable {
			try {
				return (method.getName().equals(this.method) && Arrays.stream(arguments).noneMatch(Fault::isChecked))
						? this.answerChange.apply(method.invoke(store, this.change.apply(arguments.clone())))
						: method.invoke(store, arguments);
			}
			catch (InvocationTargetException ex) {
				throw ex.getTargetException();
			}
		}

	}

}
