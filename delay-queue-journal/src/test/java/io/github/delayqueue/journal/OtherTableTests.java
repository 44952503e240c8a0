package io.github.delayqueue.journal;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.PlatformTransactionManager;

import io.github.delayqueue.TaskState;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.OtherTableException;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.StoredTask;
import io.github.delayqueue.store.TaskStore;

import static io.github.delayqueue.fixtures.Tasks.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Instances that share a store, and not the tables of the journal.
 */
@ExtendWith(OutputCaptureExtension.class)
class OtherTableTests {

	private static final String QUEUE = "q";

	private final JournalFixture first = new JournalFixture();

	private final JournalFixture second = new JournalFixture();

	/** An instance with another database. */
	private final JournaledTaskStore other = this.second.instance(this.first.below, this.first.clock);

	private final SingleLoading loading = this.first.loading(QUEUE);

	private final SingleLoading loadingOfOther = new SingleLoading(QUEUE, this.other.parts(), TaskEvents.NONE);

	@AfterEach
	void close() {
		this.first.close();
		this.second.close();
	}

	@Test
	void instanceWithAnotherDatabaseClaimsNothing() {
		this.loading.round();
		schedule(this.first.store, "a");
		assertRefused(() -> claim(this.other));
		assertRefused(this.loadingOfOther::round);
		assertThat(this.first.memory.find(QUEUE, "a")).map(StoredTask::state).contains(TaskState.SCHEDULED);
		assertThat(claim(this.first.store)).containsExactly("a");
	}

	@Test
	void instanceWithoutAJournalClaimsNothing() {
		this.loading.round();
		schedule(this.first.store, "a");
		assertThatExceptionOfType(OtherTableException.class).isThrownBy(() -> claim(this.first.below))
			.withMessageContainingAll(QUEUE, this.first.parts.ownership().table(), "journal.enabled");
		assertThat(claim(this.first.store)).containsExactly("a");
	}

	@Test
	void instanceOfAVersionThatDoesNotMarkQueuesIsFollowedByOneThatDoes() {
		schedule(this.first.store, "a");
		assertThat(claim(this.first.store)).containsExactly("a");
		this.loading.round();
		schedule(this.first.store, "b");
		assertThat(claim(this.first.store)).containsExactly("b");
	}

	@Test
	void queueThatComesBackToItsTableIsLoadedAtOnce() {
		this.loading.round();
		assertRefused(this.loadingOfOther::round);
		schedule(this.other, "b");
		this.second.instance(this.first.below, this.first.clock).adopt(QUEUE, "");
		this.first.clock.advance(Ownership.HOLDS);
		this.loadingOfOther.round();
		assertThat(claim(this.other)).containsExactly("b");
	}

	@Test
	void whatAnotherInstanceSchedulesWaitsInItsTableUntilItAdoptsTheQueue() {
		this.loading.round();
		assertRefused(this.loadingOfOther::round);
		schedule(this.other, "b");
		assertThat(this.second.rows(QUEUE)).isEqualTo("b:OPEN");
		assertThat(this.first.memory.find(QUEUE, "b")).isEmpty();
		this.other.adopt(QUEUE, "");
		this.first.clock.advance(Duration.ofSeconds(1));
		this.loadingOfOther.round();
		assertThat(claim(this.other)).containsExactly("b");
		assertRefused(() -> claim(this.first.store));
		assertRefused(this.loading::round);
	}

	@Test
	void queueThatHasNoJournalAnyMoreIsAdoptedByAnInstanceWithoutOne() {
		this.loading.round();
		schedule(this.first.store, "a");
		JournaledTaskStore without = new JournaledTaskStore(this.first.below,
				Journal.builder(this.first.dataSource, this.first.transactionManager)
					.queues((queue) -> false)
					.clock(this.first.clock)
					.build());
		assertThatExceptionOfType(OtherTableException.class).isThrownBy(() -> claim(without));
		without.adopt(QUEUE, "");
		assertThat(claim(without)).containsExactly("a");
	}

	@Test
	void storeThatWasEmptiedBelongsToWhomItBelongedTo() {
		this.loading.round();
		assertRefused(this.loadingOfOther::round);
		forgetTable();
		assertRefused(this.loadingOfOther::round);
		assertRefused(() -> claim(this.other));
		this.first.clock.advance(Duration.ofSeconds(1));
		this.loading.round();
		this.first.clock.advance(Ownership.HOLDS);
		assertRefused(this.loadingOfOther::round);
		assertRefused(this.loadingOfOther::round);
		schedule(this.first.store, "a");
		assertThat(claim(this.first.store)).containsExactly("a");
	}

	@Test
	void storeThatWasEmptiedGoesToAnotherTableIfItsOwnerIsGone() {
		this.loading.round();
		assertRefused(this.loadingOfOther::round);
		schedule(this.other, "b");
		forgetTable();
		this.first.clock.advance(Ownership.HOLDS);
		assertRefused(this.loadingOfOther::round);
		this.loadingOfOther.round();
		assertThat(claim(this.other)).containsExactly("b");
	}

	@Test
	void instancesThatBeginTogetherHaveOneTable() {
		this.first.jdbc.sql("DELETE FROM delay_queue_epoch").update();
		List<String> tables = Concurrently.run(10,
				(i) -> () -> tableOf(new DataSourceTransactionManager(this.first.dataSource)));
		assertThat(tables).hasSize(10).containsOnly(tables.get(0));
		assertThat(tableOf(this.first.transactionManager)).isEqualTo(tables.get(0));
		assertThat(this.first.parts.table().loader().epochs()).as("queues").isEmpty();
	}

	@Test
	void tasksThatTheTableDoesNotHaveAreDroppedWithALine(CapturedOutput output) {
		schedule(this.first.store, "a");
		this.first.jdbc.sql("DELETE FROM delay_queue_task").update();
		this.first.clock.advance(Duration.ofSeconds(6));
		assertThat(claim(this.first.store)).isEmpty();
		assertThat(output).contains("WARN").contains("1 tasks of queue 'q' were dropped, for instance 'a'");
		schedule(this.first.store, "b");
		this.first.jdbc.sql("DELETE FROM delay_queue_task").update();
		this.first.clock.advance(Duration.ofSeconds(6));
		assertThat(claim(this.first.store)).isEmpty();
		assertThat(output).as("not for each").doesNotContain("instance 'b'");
	}

	@Test
	void anotherKeyPrefixInTheSameTablesIsRefused() {
		open("shop:");
		open("shop:");
		assertThatExceptionOfType(JournalSetupException.class).isThrownBy(() -> open("billing:"))
			.withMessageContainingAll("key-prefix=shop:", "billing:")
			.satisfies((ex) -> {
				String remedy = ex.getRemedy();
				this.first.jdbc.sql(remedy.substring(remedy.indexOf("DELETE"), remedy.length() - 1)).update();
			});
		open("billing:");
		assertThat(tableOf(this.first.transactionManager)).isEqualTo(this.first.parts.ownership().table());
	}

	@Test
	void keyPrefixMayBeLongAndOfAnyCharacters() {
		String prefix = "队列".repeat(100);
		open(prefix);
		open(prefix);
		assertThatExceptionOfType(JournalSetupException.class).isThrownBy(() -> open(prefix + "2"));
	}

	@Test
	void dataSourceThatRoutesIsRefusedUnlessItIsConfirmed() {
		AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {

			@Override
			protected Object determineCurrentLookupKey() {
				return "main";
			}

		};
		routing.setTargetDataSources(Map.of("main", this.first.dataSource));
		routing.afterPropertiesSet();
		List<DataSource> sources = List.of(routing, new LazyConnectionDataSourceProxy(routing),
				new TransactionAwareDataSourceProxy(new LazyConnectionDataSourceProxy(routing)));
		assertThat(sources).allSatisfy((source) -> {
			Journal.Builder journal = Journal.builder(source, this.first.transactionManager);
			assertThatExceptionOfType(JournalSetupException.class).isThrownBy(journal::build)
				.withMessageContaining("routes")
				.satisfies((ex) -> assertThat(ex.getRemedy()).contains("@DelayQueueDataSource",
						"delay-queue.journal.routing=true"));
			assertThatNoException().isThrownBy(() -> journal.routing(true).build());
		});
	}

	private String tableOf(PlatformTransactionManager transactionManager) {
		Journal journal = Journal.builder(this.first.dataSource, transactionManager).build();
		return new JournaledTaskStore(this.first.below, journal).parts().ownership().table();
	}

	private void open(String keyPrefix) {
		new JournaledTaskStore(this.first.below,
				Journal.builder(this.first.dataSource, this.first.transactionManager).build(), keyPrefix);
	}

	/** As after FLUSHALL. */
	private void forgetTable() {
		this.first.memory.adopt(QUEUE, "");
	}

	private void assertRefused(Runnable step) {
		assertThatExceptionOfType(OtherTableException.class).isThrownBy(step::run)
			.withMessageContainingAll(QUEUE, this.first.parts.ownership().table(),
					this.other.parts().ownership().table(), "'adopt'");
	}

	private static void schedule(TaskStore store, String id) {
		store.schedule(QUEUE, List.of(task(id, Duration.ZERO, Replacement.REPLACE)));
	}

	private static List<String> claim(TaskStore store) {
		return store.claim(QUEUE, ClaimRequest.of("token", 10, Duration.ofSeconds(30)))
			.tasks()
			.stream()
			.map(ClaimedRecord::id)
			.toList();
	}

}
