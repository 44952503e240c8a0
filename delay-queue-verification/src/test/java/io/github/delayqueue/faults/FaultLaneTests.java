package io.github.delayqueue.faults;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.github.delayqueue.faults.Fault.Inflicted;
import io.github.delayqueue.testsupport.SelfTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SelfTest
class FaultLaneTests {

	@TempDir
	private Path directory;

	private HistoryLog log;

	private final List<String> events = new CopyOnWriteArrayList<>();

	@BeforeEach
	void open() {
		this.log = HistoryLog.open(this.directory, "driver");
	}

	@AfterEach
	void close() {
		this.log.close();
	}

	@Test
	void undoesWhatIsUnderWayWhenItIsToldToEnd() throws Exception {
		FaultLane lane = lane((random) -> inflicted(Duration.ofHours(1)));
		Thread thread = new Thread(lane);
		thread.start();
		await().until(() -> this.events.contains("inflicted"));
		lane.end();
		thread.join(TimeUnit.SECONDS.toMillis(10));
		assertThat(thread.isAlive()).isFalse();
		assertThat(this.events).containsExactly("inflicted", "undone");
		assertThat(lane.failure()).isNull();
		assertThat(Files.readAllLines(this.directory.resolve("driver.history"))).hasSize(2)
			.satisfiesExactly((line) -> assertThat(line).startsWith("fault ").contains(" MEMORY_FULL * "),
					(line) -> assertThat(line).startsWith("fault-over "));
	}

	@Test
	void saysWhatItCouldNotInflict() throws Exception {
		FaultLane lane = lane((random) -> {
			throw new IllegalStateException("no such process");
		});
		Thread thread = new Thread(lane);
		thread.start();
		thread.join(TimeUnit.SECONDS.toMillis(10));
		assertThat(lane.failure()).hasMessage("no such process");
	}

	private FaultLane lane(Fault fault) {
		return new FaultLane(Map.of(FaultKind.MEMORY_FULL, fault), new Random(1), this.log);
	}

	private Inflicted inflicted(Duration hold) {
		this.events.add("inflicted");
		return new Inflicted(Inflicted.EVERYBODY, hold, () -> this.events.add("undone"));
	}

}
