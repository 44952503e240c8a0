package io.github.delayqueue.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.debounce.Debounce;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.fleet.LeaseHolders;
import io.github.delayqueue.roles.Epoch;
import io.github.delayqueue.roles.Generation;
import io.github.delayqueue.roles.History;
import io.github.delayqueue.roles.Incarnations;
import io.github.delayqueue.roles.InstanceTraces;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.roles.TaskRetention;
import io.github.delayqueue.roles.Tended;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Extension;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.ScheduleOptions;
import io.github.delayqueue.store.ScheduleReply;
import io.github.delayqueue.testsupport.EachServer;
import io.github.delayqueue.testsupport.RedisServer;
import io.github.delayqueue.testsupport.TestServer;

import static io.github.delayqueue.fixtures.Tasks.bytes;
import static io.github.delayqueue.fixtures.Tasks.generated;
import static io.github.delayqueue.fixtures.Tasks.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A server that has reached its {@code maxmemory}: scheduling is refused and changes
 * nothing, everything that empties the queue goes on.
 */
@EachServer
class FullMemoryIntegrationTests {

	@Parameter
	private TestServer kind;

	@Test
	void onlySchedulingIsRefused() {
		try (RedisServer server = this.kind.newProcess()
			.arguments("--maxmemory-policy", "noeviction")
			.build()
			.start()) {
			try (RedisStores stores = DriverStores.on(server).keyPrefix("full:")) {
				RedisTaskStore store = stores.open();
				store.schedule("q", List.of(task("done"), task("again"), task("dead"), task("back"), task("held")));
				store.schedule("q", List.of(task("cancelled"), new NewTask("replaced", Generation.mark(bytes("{}"), 5),
						DueTime.in(Duration.ZERO), TaskPriority.NORMAL, Replacement.REPLACE)));
				server.cli("CONFIG", "SET", "maxmemory", "1");

				assertThatExceptionOfType(DelayQueueException.class)
					.isThrownBy(() -> store.schedule("q", List.of(task("new"), task("replaced"))))
					.withMessageContaining("maxmemory");
				Supplier<ScheduleReply> ahead = store.scheduleAhead("q", List.of(task("new"), task("replaced")),
						ScheduleOptions.NONE);
				assertThatExceptionOfType(DelayQueueException.class).isThrownBy(ahead::get)
					.withMessageContaining("maxmemory");
				assertThatExceptionOfType(DelayQueueException.class)
					.isThrownBy(() -> store.schedule("q", List.of(generated("new", Duration.ZERO))))
					.withMessageContaining("maxmemory");
				NewTask debounced = Tasks.with(Debounce.of(Duration.ofSeconds(5), Duration.ofSeconds(5)),
						Tasks.task("new"));
				assertThatExceptionOfType(DelayQueueException.class)
					.isThrownBy(() -> store.schedule("q", List.of(debounced)))
					.withMessageContaining("maxmemory");
				assertThat(store.find("q", "new")).isEmpty();
				assertThat(QueueView.of(store).stats("q").waiting()).isEqualTo(7);
				assertThat(QueueView.of(store).stats("q").totals().scheduled()).isEqualTo(7);
				assertThat(store.cancel("q", "cancelled")).isTrue();
				assertThat(store.reschedule("q", "replaced", DueTime.in(Duration.ofHours(1)))).isTrue();
				assertThat(store.reschedule("q", "replaced", DueTime.in(Duration.ofHours(2)), Generation.exactly(5, 7)))
					.isTrue();
				assertThat(store.cancel("q", "replaced", Generation.upTo(6))).isFalse();
				assertThat(store.requireRole(Incarnations.class).beat("q", Epoch.NONE, "one"))
					.isEqualTo(new Epoch("one", 1));
				store.requireRole(InstanceTraces.class).attend("instance", "trace");
				assertThat(store.requireRole(InstanceTraces.class).attendance().orElseThrow()).hasSize(1);
				QueueControl.of(store).setPaused("q", true);
				assertThat(QueueView.of(store).stats("q").paused()).isTrue();
				QueueControl.of(store).setPaused("q", false);
				ClaimResult claimed = store.claim("q", ClaimRequest.of("token", 5, Duration.ofSeconds(30)));
				assertThat(claimed.tasks()).extracting(ClaimedRecord::id)
					.containsExactlyInAnyOrder("done", "again", "dead", "back", "held");
				assertThat(claimed.notes().untended()).isTrue();
				assertThat(store.requireRole(TaskRetention.class).tend("q", Retention.NONE))
					.isEqualTo(new Tended(List.of(), false));
				assertThat(store.extend("q", List.of(new Extension("held", "token", Duration.ofSeconds(60)))))
					.containsExactly(true);
				assertThat(store.extend("q", List.of(new Extension("held", "stale", Duration.ofSeconds(60)))))
					.containsExactly(false);
				assertThat(store.settle("q",
						List.of(Endings.complete("done", "token", true),
								Endings.retry("again", "token", Duration.ofHours(1), bytes("why")),
								Endings.deadLetter("dead", "token", true, bytes("why")),
								Endings.release("back", "token", null))))
					.containsExactly(true, true, true, true);
				assertThat(store.settle("q", List.of(Endings.complete("done", "token", true)))).containsExactly(false);
				server.cli("HDEL", "full:{q}:meta", "tended");
				QueueControl.of(store).setPaused("q", true);
				assertThat(store.claim("q", ClaimRequest.of("token", 1, Duration.ofSeconds(30))).notes().untended())
					.isTrue();
				assertThat(store.requireRole(TaskRetention.class).tend("q", Retention.NONE))
					.isEqualTo(new Tended(List.of(), false));
				assertThat(QueueView.of(store).stats("q").completed()).isZero();
				QueueControl.of(store).setPaused("q", false);
				assertThat(QueueControl.of(store).redrive("q", List.of("dead"))).containsExactly(true);
				assertThat(QueueView.of(store).history("q").hours()).last().returns(1L, History.Hour::retried);

				server.cli("CONFIG", "SET", "maxmemory", "0");
				assertThat(store.schedule("q", List.of(generated("new", Duration.ZERO)))).hasSize(1);
				assertThat(QueueView.of(store).stats("q").inFlight()).isEqualTo(1);
			}
		}
	}

	@Test
	void tasksOfOneWhoIsGoneAreTakenOver() {
		try (RedisServer server = this.kind.newProcess().arguments("--maxmemory-policy", "noeviction").build().start();
				RedisStores stores = DriverStores.on(server).keyPrefix("full:")) {
			RedisTaskStore store = stores.open();
			LeaseHolders holders = store.requireRole(LeaseHolders.class);
			store.schedule("q", List.of(task("a"), task("b"), task("c")));
			store.claim("q", ClaimRequest.of("a1?x-1", 2, Duration.ofMinutes(1)));
			store.claim("q", ClaimRequest.of("b2~x-1", 1, Duration.ofMinutes(1)));
			server.cli("CONFIG", "SET", "maxmemory", "1");

			holders.counted("q", "a1");
			assertThat(QueueView.of(store).stats("q").inFlight()).isEqualTo(3);
			assertThat(holders.takeOver("q", "a1")).isEqualTo(2);
			holders.forget("q", "b2~");
			assertThat(holders.takeOver("q", "b2")).isZero();
			ClaimResult again = store.claim("q", ClaimRequest.of("c3~x-1", 5, Duration.ofMinutes(1)));
			assertThat(again.tasks()).extracting(ClaimedRecord::id).containsExactlyInAnyOrder("a", "b");
			assertThat(again.notes().holders()).containsExactly("c3~");
			assertThat(store.settle("q", List.of(Endings.complete("a", "a1?x-1", false)))).containsExactly(false);
		}
	}

}
