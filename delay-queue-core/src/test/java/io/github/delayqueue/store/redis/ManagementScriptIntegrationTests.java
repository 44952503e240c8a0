package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.store.ClaimRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each script that steers by itself: seed the whole state, call, compare the whole state.
 */
class ManagementScriptIntegrationTests extends AbstractSeededQueueIntegrationTests {

	@AfterEach
	void invariantHolds() {
		this.keyspace.assertInvariant();
	}

	@Test
	void redriveSchedulesDeadTasksWithCountsAtZero() {
		this.keyspace.seed(":dead", "a", "9000", "b", "9000")
			.seed(":tasks", "a", "1", "b", "1")
			.seed(":deliveries", "a", "4:1:l:8000:", "b", "1:0:n:8000:")
			.seed(":errors", "a", "why")
			.seed(":meta", "scheduled", "2", "buried", "2");
		assertThat(store.control().redrive(this.queue, List.of("a", "a", "c"))).containsExactly(true, false, false);
		assertThat(this.keyspace.dump()).containsExactly("low a=10000", "dead b=9000", "tasks a=1 b=1",
				"deliveries b=1:0:n:8000:", "errors a=why", "meta buried=2 redriven=1 scheduled=2");
	}

	@Test
	void pauseAndResumeAreKeptInMeta() {
		this.keyspace.seed("", "a", "9000").seed(":tasks", "a", "A").seed(":meta", "scheduled", "1");
		store.control().setPaused(this.queue, true);
		assertThat(this.keyspace.dump()).contains("meta paused=1 scheduled=1");
		assertThat(store.claim(this.queue, ClaimRequest.of("t", 10, Duration.ofSeconds(5))).tasks()).isEmpty();
		store.control().setPaused(this.queue, false);
		assertThat(this.keyspace.dump()).contains("meta scheduled=1");
		assertThat(store.claim(this.queue, ClaimRequest.of("t", 10, Duration.ofSeconds(5))).tasks()).hasSize(1);
	}

	@Test
	void idsWithoutRecordAreDeletedAndNotRedriven() {
		this.keyspace.seed(":dead", "ghost", "9000", "spirit", "9000")
			.seed(":meta", "scheduled", "2", "buried", "2", "orphans", "2");
		assertThat(store.control().redrive(this.queue, List.of("ghost"))).containsExactly(false);
		assertThat(store.view().stats(this.queue).retrying()).isZero();
		assertThat(store.control().purge(this.queue, TaskState.DEAD, 10)).isEqualTo(2);
	}

	@Test
	void completedTasksAreNotAmongThoseThatAreRetried() {
		this.keyspace.seed("", "e", "8000", "f", "10009")
			.seed(":high", "c", "10007")
			.seed(":completed", "b", "10000")
			.seed(":dead", "d", "10000")
			.seed(":tasks", "b", "1", "c", "1", "d", "1", "e", "1", "f", "1")
			.seed(":deliveries", "b", "1:0:n:8000:", "c", "1:0:h:8000:", "d", "2:2:l:8000:", "f", "1:0:n:8000:")
			.seed(":meta", "scheduled", "5", "buried", "1", "completed", "1", "retried", "1");
		assertThat(store.view().stats(this.queue).retrying()).isEqualTo(2);
	}

}
