package io.github.delayqueue.sharing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.RedisSystemException;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.redis.ScriptRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SharedCallsTests {

	private static final List<String> ANSWER = List.of("done");

	private final SharedCalls calls = new SharedCalls();

	/** How long the callers wait. */
	private Duration patience = Duration.ofSeconds(20);

	private final List<List<String>> sent = new ArrayList<>();

	/** Of each size one. */
	private final Map<Integer, byte[]> envelopes = new HashMap<>();

	private final List<CompletableFuture<List<?>>> replies = new ArrayList<>();

	@Test
	void whatFindsFewUnderWayGoesOutAtOnceAndWhatFindsMoreGoesTogether() {
		List<Supplier<List<?>>> answers = send("a", "b", "c", "d", "e");
		assertThat(this.sent).containsExactly(List.of("a"), List.of("b"));
		answer(1);
		assertThat(this.sent).containsExactly(List.of("a"), List.of("b"), List.of("c", "d", "e"));
		answer(0);
		answer(2);
		assertThat(answers).allSatisfy((answer) -> assertThat(answer.get()).isSameAs(ANSWER));
		assertThat(this.sent).hasSize(3);
	}

	@Test
	void lanesDoNotWaitForEachOther() {
		send("a", "b", "c");
		Supplier<List<?>> other = send("other", "x", 1, this::sent);
		answer(2);
		assertThat(this.sent).containsExactly(List.of("a"), List.of("b"), List.of("x"));
		assertThat(other.get()).isSameAs(ANSWER);
	}

	@Test
	void callHasABoundedNumberOfParts() {
		int parts = SharedCalls.MAX_PARTS + 1;
		send(IntStream.range(0, SharedCalls.MAX_UNDER_WAY + parts).mapToObj(String::valueOf).toArray(String[]::new));
		answer(0);
		answer(1);
		assertThat(this.sent.stream().map(List::size)).containsExactly(1, 1, parts - 1, 1);
	}

	@Test
	void largePartsGoAlone() {
		send("a", "b");
		for (int bytes : new int[] { 10, SharedCalls.MAX_BYTES, 10, SharedCalls.MAX_BYTES - 10, 1 }) {
			send("lane", String.valueOf(bytes), bytes, this::sent);
		}
		IntStream.range(0, 5).forEach(this::answer);
		assertThat(this.sent.subList(2, this.sent.size())).containsExactly(List.of("10"),
				List.of(String.valueOf(SharedCalls.MAX_BYTES)),
				List.of("10", String.valueOf(SharedCalls.MAX_BYTES - 10)), List.of("1"));
	}

	@Test
	void allWhoShareACallLearnItsErrorAndOthersDoNot() {
		List<Supplier<List<?>>> answers = send("a", "b", "c", "d");
		answer(0);
		IllegalStateException error = new IllegalStateException("broken");
		this.replies.get(2).completeExceptionally(error);
		answer(1);
		assertThat(answers.get(0).get()).isSameAs(ANSWER);
		assertThat(answers.get(1).get()).isSameAs(ANSWER);
		for (Supplier<List<?>> failed : answers.subList(2, 4)) {
			assertThatExceptionOfType(RedisSystemException.class).isThrownBy(failed::get)
				.havingRootCause()
				.isSameAs(error);
		}
		send("e");
		assertThat(this.sent).last().isEqualTo(List.of("e"));
	}

	@Test
	void errorsInSendingBlockNobody() {
		Error error = new StackOverflowError("for a test");
		List<Supplier<List<?>>> failing = IntStream.range(0, 5).mapToObj((i) -> send("lane", "x", 1, (parts) -> {
			throw error;
		})).toList();
		assertThat(failing).allSatisfy((answer) -> assertThatThrownBy(answer::get).isSameAs(error));
		send("a", "b", "c");
		assertThat(this.sent).containsExactly(List.of("a"), List.of("b"));
	}

	@Test
	void errorInSendingWhatHasWaitedReachesThoseWhoWaitedOnly() {
		List<Supplier<List<?>>> answers = send("a", "b");
		IllegalStateException error = new IllegalStateException("not connected");
		Supplier<List<?>> failing = send("lane", "c", 1, (parts) -> {
			throw error;
		});
		answer(0);
		answer(1);
		assertThat(answers).allSatisfy((answer) -> assertThat(answer.get()).isSameAs(ANSWER));
		assertThatExceptionOfType(RedisSystemException.class).isThrownBy(failing::get)
			.havingRootCause()
			.isSameAs(error);
	}

	@Test
	void anyNumberOfCallsMayFailAtOnce() {
		send("a", "b");
		IllegalStateException error = new IllegalStateException("not connected");
		List<Supplier<List<?>>> failing = IntStream.range(0, 20_000)
			.mapToObj((i) -> send("lane", "x", SharedCalls.MAX_BYTES, (parts) -> {
				throw error;
			}))
			.toList();
		answer(0);
		assertThat(failing)
			.allSatisfy((answer) -> assertThatExceptionOfType(RedisSystemException.class).isThrownBy(answer::get)
				.havingRootCause()
				.isSameAs(error));
		answer(1);
		send("c", "d", "e");
		assertThat(this.sent).endsWith(List.of("c"), List.of("d"));
	}

	@Test
	void callThatTheDriverCancelsFails() {
		List<Supplier<List<?>>> answers = send("a");
		this.replies.get(0).cancel(false);
		assertThatExceptionOfType(RedisConnectionFailureException.class).isThrownBy(answers.get(0)::get)
			.withCauseInstanceOf(CancellationException.class);
	}

	@Test
	void whoGivesUpBeforeItsTurnIsNotSent() {
		this.patience = Duration.ZERO;
		List<Supplier<List<?>>> answers = send("a", "b", "c", "d");
		assertThatExceptionOfType(QueryTimeoutException.class).isThrownBy(answers.get(2)::get);
		answer(0);
		assertThat(this.sent).last().isEqualTo(List.of("d"));
	}

	@Test
	void callIsCancelledWhenAllHaveGivenUpAndMakesRoomForTheNext() {
		this.patience = Duration.ZERO;
		List<Supplier<List<?>>> answers = send("a", "b", "c", "d");
		answer(0);
		assertThatExceptionOfType(QueryTimeoutException.class).isThrownBy(answers.get(2)::get);
		assertThat(this.replies.get(2)).isNotDone();
		send("e");
		assertThatExceptionOfType(QueryTimeoutException.class).isThrownBy(answers.get(3)::get);
		assertThat(this.replies.get(2)).isCancelled();
		assertThat(this.sent).last().isEqualTo(List.of("e"));
	}

	@Test
	void interruptedThreadStaysInterruptedAndDisturbsNobody() {
		List<Supplier<List<?>>> answers = send("a", "b", "c", "d");
		Thread.currentThread().interrupt();
		try {
			assertThatExceptionOfType(RedisSystemException.class).isThrownBy(answers.get(2)::get)
				.withCauseInstanceOf(InterruptedException.class);
			assertThat(Thread.currentThread().isInterrupted()).isTrue();
		}
		finally {
			Thread.interrupted();
		}
		answer(0);
		answer(2);
		assertThat(this.sent).last().isEqualTo(List.of("d"));
		assertThat(answers.get(3).get()).isSameAs(ANSWER);
	}

	private List<Supplier<List<?>>> send(String... parts) {
		return Stream.of(parts).map((part) -> send("lane", part, 1, this::sent)).toList();
	}

	private Supplier<List<?>> send(String lane, String part, int bytes,
			Function<List<String>, CompletableFuture<List<?>>> sender) {
		CompletableFuture<List<?>> answer = this.calls.send(lane, task(part, bytes),
				(tasks) -> sender.apply(ids(tasks)));
		return () -> ScriptRunner.await(answer, this.patience, (error) -> null);
	}

	private NewTask task(String id, int bytes) {
		return new NewTask(id, this.envelopes.computeIfAbsent(bytes, byte[]::new), DueTime.in(Duration.ZERO),
				TaskPriority.NORMAL, Replacement.REPLACE);
	}

	private static List<String> ids(List<NewTask> tasks) {
		return tasks.stream().map(NewTask::id).toList();
	}

	private CompletableFuture<List<?>> sent(List<String> parts) {
		this.sent.add(parts);
		CompletableFuture<List<?>> reply = new CompletableFuture<>();
		this.replies.add(reply);
		return reply;
	}

	private void answer(int call) {
		this.replies.get(call).complete(ANSWER);
	}

}
