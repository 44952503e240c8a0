package io.github.delayqueue.journal;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Which thread executes a write, and when.
 */
class WritesAheadTests {

	private @Nullable Executor executor;

	private final WritesAhead ahead = new WritesAhead(() -> this.executor);

	/** What waits for a thread. */
	private final Queue<Runnable> waiting = new ArrayDeque<>();

	private final List<String> written = new ArrayList<>();

	@Test
	void callerExecutesItWhereNothingIsStarted() {
		Supplier<String> answer = write("a");
		assertThat(this.written).containsExactly("a");
		assertThat(answer.get()).isEqualTo("a");
	}

	@Test
	void oneIsUnderWayWhileTheCallerExecutesTheNext() {
		this.executor = this.waiting::add;
		Supplier<String> first = write("first");
		Supplier<String> second = write("second");
		assertThat(this.written).containsExactly("second");
		this.waiting.remove().run();
		assertThat(first.get()).isEqualTo("first");
		assertThat(second.get()).isEqualTo("second");
		write("third");
		assertThat(this.waiting).as("it is free again").hasSize(1);
		assertThat(this.written).containsExactly("second", "first");
	}

	@Test
	void whoAsksWaitsForWhatHasBegun() throws Exception {
		ExecutorService executor = Executors.newSingleThreadExecutor();
		try {
			this.executor = executor;
			CountDownLatch begun = new CountDownLatch(1);
			CountDownLatch goOn = new CountDownLatch(1);
			Supplier<String> answer = this.ahead.write(() -> {
				begun.countDown();
				awaitUninterruptibly(goOn);
				return Thread.currentThread().getName();
			});
			assertThat(begun.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
			goOn.countDown();
			Thread.currentThread().interrupt();
			assertThat(answer.get()).isNotEqualTo(Thread.currentThread().getName());
			assertThat(Thread.interrupted()).as("it is still known").isTrue();
		}
		finally {
			executor.shutdownNow();
		}
	}

	@Test
	void callerExecutesWhatIsRefused() {
		this.executor = (task) -> {
			throw new RejectedExecutionException("stopped");
		};
		assertThat(write("a").get()).isEqualTo("a");
		assertThat(write("b").get()).isEqualTo("b");
		assertThat(this.written).containsExactly("a", "b");
	}

	@Test
	void whatTheWriteThrowsIsThrownToWhoAsks() {
		this.executor = this.waiting::add;
		Supplier<String> exception = this.ahead.write(() -> {
			throw new IllegalStateException("the database is away");
		});
		this.waiting.remove().run();
		assertThatIllegalStateException().isThrownBy(exception::get).withMessage("the database is away");
		Supplier<String> error = this.ahead.write(() -> {
			throw new StackOverflowError("too deep");
		});
		this.waiting.remove().run();
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(error::get);
	}

	@Test
	void nextOneGoesToTheExecutorAfterOneThatThrewWhatIsNotDeclared() {
		this.executor = this.waiting::add;
		Supplier<String> answer = this.ahead.write(
				() -> WritesAheadTests.<String, RuntimeException>undeclared(new SQLException("the database is away")));
		this.waiting.remove().run();
		assertThatThrownBy(answer::get).hasRootCauseInstanceOf(SQLException.class);
		write("next");
		assertThat(this.waiting).hasSize(1);
	}

	@SuppressWarnings("unchecked")
	private static <T, E extends Exception> T undeclared(Exception ex) throws E {
		throw (E) ex;
	}

	private Supplier<String> write(String text) {
		return this.ahead.write(() -> {
			this.written.add(text);
			return text;
		});
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			assertThat(latch.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
