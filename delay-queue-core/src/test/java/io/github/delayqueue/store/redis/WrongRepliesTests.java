package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mockito.Answers;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.incarnation.RedisIncarnations;
import io.github.delayqueue.management.RedisManagement;
import io.github.delayqueue.partition.RedisSourceNumbers;
import io.github.delayqueue.roles.Epoch;
import io.github.delayqueue.roles.Forecast;
import io.github.delayqueue.roles.Incarnations;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.roles.SourceNumbers;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Extension;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.ScheduleOptions;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Answers that no script of ours gives, as from a proxy that changes them: no server
 * answers so, hence a connection factory that does.
 */
class WrongRepliesTests {

	private static final String QUEUE = "orders";

	static List<String> stepNames() {
		return List.copyOf(steps().keySet());
	}

	private static Map<String, Consumer<RedisTaskStore>> steps() {
		Map<String, Consumer<RedisTaskStore>> steps = new LinkedHashMap<>();
		steps.put("schedule", (store) -> store.schedule(QUEUE, List.of(task("a", false), task("b", false))));
		steps.put("schedule new", (store) -> store.schedule(QUEUE, List.of(task("a", true), task("b", true))));
		steps.put("schedule ahead",
				(store) -> store.scheduleAhead(QUEUE, List.of(task("a", false)), ScheduleOptions.NONE).get());
		steps.put("claim", (store) -> store.claim(QUEUE, ClaimRequest.of("t", 3, Duration.ofSeconds(5))));
		steps.put("settle",
				(store) -> store.settle(QUEUE, List.of(Endings.drop("a", "t"), Endings.complete("b", "t", false))));
		steps.put("extend", (store) -> store.extend(QUEUE, List.of(new Extension("a", "t", Duration.ofSeconds(9)))));
		steps.put("cancel", (store) -> store.cancel(QUEUE, "a"));
		steps.put("reschedule", (store) -> store.reschedule(QUEUE, "a", DueTime.in(Duration.ZERO)));
		steps.put("redrive", (store) -> QueueControl.of(store).redrive(QUEUE, List.of("a", "b")));
		steps.put("beat", (store) -> store.requireRole(Incarnations.class).beat(QUEUE, Epoch.NONE, "name"));
		steps.put("learn", (store) -> store.requireRole(SourceNumbers.class).learn(QUEUE, "2", false));
		steps.put("purge", (store) -> QueueControl.of(store).purge(QUEUE, TaskState.DEAD, 5));
		steps.put("purge by id",
				(store) -> QueueControl.of(store).purge(QUEUE, TaskState.DEAD, Map.of("a", 1L, "b", 1L)));
		steps.put("clear", (store) -> QueueControl.of(store).clear(QUEUE));
		steps.put("pause", (store) -> QueueControl.of(store).setPaused(QUEUE, true));
		steps.put("resume", (store) -> QueueControl.of(store).setPaused(QUEUE, false));
		steps.put("find", (store) -> store.find(QUEUE, "a"));
		steps.put("list", (store) -> QueueView.of(store).list(QUEUE, TaskState.DEAD, 0, 5));
		steps.put("stats", (store) -> QueueView.of(store).stats(QUEUE));
		steps.put("forecast", (store) -> QueueView.of(store)
			.forecast(QUEUE, new Forecast.Bars(Instant.EPOCH, Duration.ofMinutes(1), 6)));
		steps.put("history", (store) -> QueueView.of(store).history(QUEUE));
		steps.put("queues", (store) -> QueueView.of(store).queues());
		return steps;
	}

	private static List<Object> replies() {
		List<Object> replies = new ArrayList<>(List.of(5L, bytes("OK"), "text", List.of()));
		List<Object> values = Arrays.asList(null, -7L, 1L, Long.MAX_VALUE, bytes("text"), "text", true, List.of(),
				List.of(List.of(bytes("x"))), Collections.singletonList(null));
		for (Object value : values) {
			for (int size : new int[] { 1, 2, 3, 7, 12 }) {
				replies.add(Collections.nCopies(size, value));
			}
		}
		replies.add(Arrays.asList(1L, 2L, 3L, List.of(), List.of(), List.of(bytes("a"), bytes("b")), 1L));
		replies.add(Arrays.asList(Long.MAX_VALUE, Long.MIN_VALUE, 0L, List.of(), List.of(), List.of(), Long.MAX_VALUE));
		replies.add(Arrays.asList(bytes("lost"), bytes("a"), bytes("1"), bytes(""), bytes(""), null, null));
		replies.add(Arrays.asList(bytes("dead"), bytes("a"), bytes("one"), bytes(""), bytes(""), null, null));
		replies.add(Arrays.asList(bytes(""), 1L, List.of(bytes("UNKNOWN"), bytes(""), bytes(""), bytes("")),
				List.of(1L, 1L, 1L, 1L, 1L)));
		return replies;
	}

	@ParameterizedTest
	@MethodSource("stepNames")
	void replyOfAnotherShapeIsOneExceptionWithASentence(String step) {
		AtomicReference<@Nullable Object> answer = new AtomicReference<>();
		RedisTaskStore store = store(answer);
		int refused = 0;
		for (Object reply : replies()) {
			answer.set(reply);
			try {
				steps().get(step).accept(store);
			}
			catch (StoreUnavailableException ex) {
				assertThat(ex).hasMessageStartingWith("Could not ")
					.hasMessageContaining("may or may not have been done");
				refused++;
			}
			catch (DelayQueueException ex) {
				// a claim to which is answered no more than the time, twice
				assertThat(ex).hasMessageContaining("the server's clock");
			}
			catch (AssertionError ex) {
				// of the right shape, but no answer to this call: applications go on
				assertThat(ex.getStackTrace()[0].getClassName()).startsWith(Replies.class.getPackageName());
			}
			catch (RuntimeException ex) {
				fail(step + " of " + reply, ex);
			}
		}
		store.destroy();
		assertThat(refused).isPositive();
	}

	private static RedisTaskStore store(AtomicReference<@Nullable Object> answer) {
		RedisConnection connection = mock(Answers.RETURNS_DEEP_STUBS);
		given(connection.scriptingCommands().evalSha(anyString(), any(), anyInt(), any(byte[][].class)))
			.willAnswer((invocation) -> answer.get());
		given(connection.setCommands().sMembers(any())).willAnswer((invocation) -> Collections.singleton(answer.get()));
		RedisConnectionFactory factory = mock();
		given(factory.getConnection()).willReturn(connection);
		RedisTaskStore store = new RedisTaskStore(new RedisConnections(factory, Duration.ofSeconds(1)), "wrong:", null);
		store.add(new RedisManagement(store));
		store.add(new RedisIncarnations(store.scripts()));
		store.add(new RedisSourceNumbers(store.scripts()));
		store.start();
		return store;
	}

	private static NewTask task(String id, boolean generated) {
		return new NewTask(id, bytes("x"), DueTime.at(Instant.EPOCH), TaskPriority.NORMAL, Replacement.REPLACE,
				generated);
	}

}
