package io.github.delayqueue.listener;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.QueueStats;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.convert.TaskOptions;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.testsupport.ChildJvm;
import io.github.delayqueue.testsupport.Heavy;
import io.github.delayqueue.testsupport.Patience;
import io.github.delayqueue.testsupport.TestRedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two processes consume one queue until one of them ends, killed or asked to. What they
 * have handled they write to files, outside Redis.
 * <p>
 * {@code -Dprocess.rounds=10 -Dprocess.tasks=2000} for the full measure.
 */
class ProcessKillIntegrationTests {

	private static final Logger logger = LoggerFactory.getLogger(ProcessKillIntegrationTests.class);

	private static final int ROUNDS = Integer.getInteger("process.rounds", 1);

	private static final int TASKS = Integer.getInteger("process.tasks", 800);

	private static final String QUEUE = "work";

	/** Of a process that is killed: the other one waits for it. */
	private static final Duration SHORT_TTR = Duration.ofSeconds(8);

	private static final Duration LONG_TTR = Duration.ofMinutes(10);

	private final RedisStores stores = RedisStores.onShared("process");

	private final TaskStore store = this.stores.open();

	private final ListenerFixture producer = new ListenerFixture(this.store);

	@TempDir
	private Path directory;

	private final List<ChildJvm> processes = new ArrayList<>();

	static IntStream rounds() {
		return IntStream.rangeClosed(1, ROUNDS);
	}

	@AfterEach
	void close() {
		this.processes.forEach(ChildJvm::close);
		this.producer.close();
		this.store.clear(QUEUE);
		this.stores.close();
	}

	@ParameterizedTest
	@MethodSource("rounds")
	void handlesEveryTaskAndOnlyThoseTwiceThatAKilledProcessHeld(int round) throws Exception {
		Path killed = this.directory.resolve("killed");
		Path survivor = this.directory.resolve("survivor");
		ChildJvm process = startBoth(killed, survivor, SHORT_TTR);
		process.kill();
		// at once: before long the survivor takes them over
		Set<String> held = this.store.list(QUEUE, TaskState.IN_FLIGHT, 0, TaskStore.MAX_BATCH)
			.stream()
			.map(StoredTask::id)
			.collect(Collectors.toSet());
		HandledFile ofKilled = HandledFile.read(killed);
		awaitAllCompleted();
		HandledFile ofSurvivor = HandledFile.read(survivor);
		assertThat(HandledFile.read(killed)).isEqualTo(ofKilled);
		assertThat(ofKilled.started()).doesNotHaveDuplicates();
		assertThat(ofSurvivor.started()).doesNotHaveDuplicates();
		assertThat(all(ofKilled.ended(), ofSurvivor.ended())).hasSize(TASKS);
		Set<String> twice = new HashSet<>(ofKilled.started());
		twice.retainAll(ofSurvivor.started());
		QueueStats.Totals totals = this.store.stats(QUEUE).totals();
		logger.info("kill -9, round {}: {} handled by the killed process, {} by the other, {} by both; {} leases lost",
				round, ofKilled.ended().size(), ofSurvivor.ended().size(), twice.size(), totals.leasesLost());
		assertThat(held).as("in flight when it was killed").containsAll(twice);
		assertThat(totals.leasesLost()).isGreaterThanOrEqualTo(twice.size());
		assertThat(totals.retried()).isZero();
	}

	@ParameterizedTest
	@MethodSource("rounds")
	@Heavy
	void handlesEveryTaskExactlyOnceWhenAProcessIsAskedToEnd(int round) throws Exception {
		Path ended = this.directory.resolve("ended");
		Path survivor = this.directory.resolve("survivor");
		ChildJvm process = startBoth(ended, survivor, LONG_TTR);
		assertThat(process.stop()).isTrue();
		awaitAllCompleted();
		HandledFile ofEnded = HandledFile.read(ended);
		HandledFile ofSurvivor = HandledFile.read(survivor);
		QueueStats.Totals totals = this.store.stats(QUEUE).totals();
		logger.info("SIGTERM, round {}: {} handled by the ended process, {} by the other; {} leases lost", round,
				ofEnded.ended().size(), ofSurvivor.ended().size(), totals.leasesLost());
		List<String> started = new ArrayList<>(ofEnded.started());
		started.addAll(ofSurvivor.started());
		assertThat(started).doesNotHaveDuplicates().hasSize(TASKS);
		assertThat(all(ofEnded.ended(), ofSurvivor.ended())).hasSize(TASKS);
		assertThat(ofEnded.ended()).hasSameSizeAs(ofEnded.started());
		assertThat(totals.leasesLost() + totals.retried()).isZero();
	}

	/**
	 * Answers the first process once some two fifths of the tasks have been handled. None
	 * ends a handler before both are busy.
	 */
	private ChildJvm startBoth(Path first, Path second, Duration ttr) throws IOException {
		Path hold = Files.createFile(this.directory.resolve(ConsumerProcess.HOLD));
		ChildJvm process = start(first, ttr);
		start(second, ttr);
		await().until(() -> HandledFile.isReady(first) && HandledFile.isReady(second));
		schedule();
		await().until(() -> isBusy(first) && isBusy(second));
		Files.delete(hold);
		await().until(() -> this.store.stats(QUEUE).totals().completed() >= TASKS * 2 / 5);
		return process;
	}

	private static boolean isBusy(Path file) {
		return HandledFile.read(file).started().size() == ConsumerProcess.CONCURRENCY;
	}

	private ChildJvm start(Path file, Duration ttr) {
		ChildJvm process = ChildJvm
			.of(ConsumerProcess.class, TestRedis.host(), String.valueOf(TestRedis.port()), this.stores.keyPrefix(),
					QUEUE, file.toString(), ttr.toString())
			.start(Path.of(file + ".log"));
		this.processes.add(process);
		return process;
	}

	private void schedule() {
		DueTime due = DueTime.in(Duration.ofSeconds(1));
		List<NewTask> tasks = IntStream.range(0, TASKS)
			.mapToObj((i) -> this.producer.task(QUEUE, "task-" + i, "payload", due, TaskOptions.NONE))
			.toList();
		for (int from = 0; from < TASKS; from += TaskStore.MAX_BATCH) {
			this.store.schedule(QUEUE, tasks.subList(from, Math.min(TASKS, from + TaskStore.MAX_BATCH)));
		}
	}

	private void awaitAllCompleted() {
		await().atMost(Patience.LIMIT.plusMillis(100L * TASKS))
			.until(() -> this.store.stats(QUEUE).totals().completed() == TASKS);
	}

	private static Set<String> all(Set<String> one, Set<String> other) {
		Set<String> all = new HashSet<>(one);
		all.addAll(other);
		return all;
	}

}
