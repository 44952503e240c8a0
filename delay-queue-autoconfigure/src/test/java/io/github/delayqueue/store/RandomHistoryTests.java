package io.github.delayqueue.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.delayqueue.QueueStats.Totals;
import io.github.delayqueue.store.memory.InMemoryTaskStore;
import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Whether a random history finds what it is made to find.
 */
class RandomHistoryTests {

	private static final int STEPS = 2000;

	private static final long SEED = 7;

	private final MutableClock clock = new MutableClock(TaskStoreFixture.START);

	private final TaskStore model = new InMemoryTaskStore(this.clock);

	@Test
	void historyLeavesNothingOut() {
		RandomHistory history = new RandomHistory(this.model, new InMemoryTaskStore(this.clock), this.clock, SEED);
		history.run(STEPS, () -> {
		});
		Totals totals = this.model.stats(history.queue()).totals();
		assertThat(List.of(totals.scheduled(), totals.completed(), totals.retried(), totals.buried(),
				totals.cancelled(), totals.replaced(), totals.cleared(), totals.purged(), totals.redriven(),
				totals.expired(), totals.stale()))
			.allSatisfy((count) -> assertThat(count).isGreaterThan(20));
	}

	@ParameterizedTest
	@EnumSource
	void historyFindsAFaultAndTellsTheSeed(Fault fault) {
		TaskStore faulty = fault.in(new InMemoryTaskStore(this.clock));
		RandomHistory history = new RandomHistory(this.model, faulty, this.clock, SEED);
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> history.run(STEPS, () -> {
		})).withMessageContaining("Seed " + SEED).withMessageContaining("step ");
	}

	/**
	 * Something a store may do wrong.
	 */
	enum Fault {

		CANCEL_OF_ONE_ID_DOES_NOTHING("cancel", (arguments) -> {
			arguments[1] = "a".equals(arguments[1]) ? "unknown" : arguments[1];
			return arguments;
		}),

		RESCHEDULE_IS_A_MILLISECOND_LATE("reschedule", (arguments) -> {
			DueTime due = (DueTime) arguments[2];
			arguments[2] = new DueTime(due.relative(), due.millis() + 1);
			return arguments;
		}),

		CLAIM_IGNORES_BYTES("claim", (arguments) -> {
			ClaimRequest request = (ClaimRequest) arguments[1];
			arguments[1] = new ClaimRequest(request.token(), request.limit(), request.expiredLimit(), request.ttr(),
					Long.MAX_VALUE, request.oldestFirst(), request.retention());
			return arguments;
		}),

		CLAIM_IGNORES_OLDEST_FIRST("claim", (arguments) -> {
			ClaimRequest request = (ClaimRequest) arguments[1];
			arguments[1] = new ClaimRequest(request.token(), request.limit(), request.expiredLimit(), request.ttr(),
					request.maxBytes(), false, request.retention());
			return arguments;
		}),

		CLAIM_KEEPS_DEAD_TASKS("claim", (arguments) -> {
			ClaimRequest request = (ClaimRequest) arguments[1];
			arguments[1] = new ClaimRequest(request.token(), request.limit(), request.expiredLimit(), request.ttr(),
					request.maxBytes(), request.oldestFirst(),
					new Retention(request.retention().completed(), Duration.ofDays(1), null));
			return arguments;
		});

		private final String method;

		private final UnaryOperator<Object[]> change;

		Fault(String method, UnaryOperator<Object[]> change) {
			this.method = method;
			this.change = change;
		}

		private TaskStore in(TaskStore store) {
			return (TaskStore) Proxy.newProxyInstance(TaskStore.class.getClassLoader(),
					new Class<?>[] { TaskStore.class }, (proxy, method, arguments) -> invoke(store, method, arguments));
		}

		private Object invoke(TaskStore store, Method method, Object[] arguments) throws Throwable {
			try {
				return method.invoke(store,
						method.getName().equals(this.method) ? this.change.apply(arguments.clone()) : arguments);
			}
			catch (InvocationTargetException ex) {
				throw ex.getTargetException();
			}
		}

	}

}
