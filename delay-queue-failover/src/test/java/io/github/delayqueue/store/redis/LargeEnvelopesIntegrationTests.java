package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.roles.Contents;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimTerms;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.testsupport.Connections;
import io.github.delayqueue.testsupport.RedisMonitor;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * That claims read of large envelopes about what they take: the server does nothing else
 * meanwhile.
 */
class LargeEnvelopesIntegrationTests {

	private static final String QUEUE = "documents";

	private static final int LARGE = 1_000_000;

	/** A read of an envelope or of several by a script: their ids. */
	private static final Pattern READ = Pattern.compile("lua] \"HM?GET\" \"[^\"]*:tasks\" (.*)");

	private final RedisServer server = RedisServer.startNew();

	private final RedisStores stores = DriverStores
		.on(Connections.start(new LettuceConnectionFactory(Connections.configuration(this.server))));

	private final RedisTaskStore store = this.stores.open();

	private int tasks;

	@BeforeEach
	void loadTheScript() {
		this.store.claim(QUEUE, claimOf(1, 1));
	}

	@AfterEach
	void close() {
		this.stores.close();
		this.server.close();
	}

	@Test
	void claimOfManyTasksReadsNoMoreEnvelopesThanItTakes() {
		schedule(LARGE, TaskPriority.NORMAL, 40);
		assertThat(read(20, 1)).containsExactly("NORMAL-0");
	}

	@Test
	void smallEnvelopesBeforeTheLargeOnesChangeNothingOfThat() {
		schedule(LARGE, TaskPriority.NORMAL, 100);
		schedule(10, TaskPriority.HIGH, 25);
		assertThat(read(80, ClaimTerms.DEFAULT_MAX_BYTES)).hasSize(25 + 2).endsWith("NORMAL-0", "NORMAL-1");
	}

	@Test
	void claimEndsAfterAMebibyte() {
		schedule(LARGE / 5, TaskPriority.NORMAL, 30);
		ClaimResult result = this.store.claim(QUEUE, claimOf(30, ClaimTerms.DEFAULT_MAX_BYTES));
		assertThat(result.tasks()).hasSize(6);
		assertThat(result.wakeIn()).isEqualTo(Duration.ZERO);
	}

	/** Each script ends after a mebibyte, however many tasks are asked for. */
	@Test
	void listReadsThemInSeveralSteps() {
		schedule(LARGE, TaskPriority.NORMAL, 7);
		schedule(10, TaskPriority.LOW, 30);
		schedule(10, TaskPriority.HIGH, 3);
		List<StoredTask> whole = QueueView.of(this.store).list(QUEUE, TaskState.SCHEDULED, 0, 100);
		assertThat(whole).hasSize(40).allSatisfy((task) -> assertThat(task.envelope()).isNotNull());
		assertThat(whole).extracting(StoredTask::id)
			.isEqualTo(QueueView.of(this.store)
				.list(QUEUE, TaskState.SCHEDULED, 0, 100, Contents.NONE)
				.stream()
				.map(StoredTask::id)
				.toList());
		assertThat(QueueView.of(this.store).list(QUEUE, TaskState.SCHEDULED, 2, 5)).extracting(StoredTask::id)
			.isEqualTo(whole.stream().skip(2).limit(5).map(StoredTask::id).toList());
		List<String> lines = RedisMonitor.during(this.server,
				() -> assertThat(QueueView.of(this.store).list(QUEUE, TaskState.SCHEDULED, 0, 100)).hasSize(40));
		int most = 0;
		int inStep = 0;
		for (String line : lines) {
			Matcher read = READ.matcher(line);
			if (line.contains("\"EVALSHA\"") || line.contains("\"evalsha\"")) {
				inStep = 0;
			}
			else if (read.find()) {
				inStep += (int) Stream.of(read.group(1).replace("\"", "").split(" "))
					.filter((id) -> whole.stream()
						.anyMatch((task) -> task.id().equals(id) && task.envelope().length == LARGE))
					.count();
				most = Math.max(most, inStep);
			}
		}
		assertThat(most).as("large envelopes in a step").isBetween(1, 4);
	}

	private void schedule(int bytes, TaskPriority priority, int count) {
		for (int i = 0; i < count; i++) {
			this.store.schedule(QUEUE, List.of(new NewTask(priority + "-" + this.tasks++, new byte[bytes],
					DueTime.in(Duration.ZERO), priority, Replacement.REPLACE)));
		}
	}

	/** Ids of the tasks whose envelopes a claim reads. */
	private List<String> read(int limit, long maxBytes) {
		return RedisMonitor
			.during(this.server,
					() -> assertThat(this.store.claim(QUEUE, claimOf(limit, maxBytes)).tasks()).isNotEmpty())
			.stream()
			.map(READ::matcher)
			.filter(Matcher::find)
			.flatMap((read) -> Stream.of(read.group(1).replace("\"", "").split(" ")))
			.toList();
	}

	private static ClaimRequest claimOf(int limit, long maxBytes) {
		return ClaimRequest.of("token", limit, new ClaimTerms(Duration.ofMinutes(5), maxBytes, List.of(), null, ""));
	}

}
