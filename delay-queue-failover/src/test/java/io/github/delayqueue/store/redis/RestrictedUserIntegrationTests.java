package io.github.delayqueue.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.TaskState;
import io.github.delayqueue.debounce.Debounce;
import io.github.delayqueue.fixtures.DocumentedUser;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.DriverStores;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.fleet.LeaseHolders;
import io.github.delayqueue.histogram.RedisHistograms;
import io.github.delayqueue.roles.Contents;
import io.github.delayqueue.roles.InstanceTraces;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.roles.QueueView;
import io.github.delayqueue.roles.Retention;
import io.github.delayqueue.roles.TaskRetention;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimTerms;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Extension;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.ScheduleOptions;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.WakeSubscription;
import io.github.delayqueue.testsupport.Connections;
import io.github.delayqueue.testsupport.Driver;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A Redis user with the rights that the documentation names: it needs each of them, and
 * no other.
 */
@ExtendWith(OutputCaptureExtension.class)
class RestrictedUserIntegrationTests {

	@AutoClose
	private static final RedisServer server = RedisServer.startNew();

	private DocumentedUser user;

	@BeforeEach
	void createUser() {
		server.cli("FLUSHALL");
		this.user = DocumentedUser.create(server::cli, "shop", "delay:queue:");
	}

	@AfterEach
	void deleteUser() {
		this.user.delete();
	}

	@ParameterizedTest
	@EnumSource
	void needsNoOtherCommand(Driver driver) {
		useEverything(driver);
		assertThat(this.user.refusals()).isEmpty();
	}

	@Test
	void needsEachCommand() {
		assertThat(this.user.commands()).isNotEmpty().doesNotHaveDuplicates();
		List<String> needless = new ArrayList<>();
		for (String command : this.user.commands()) {
			this.user.allowAllBut(command);
			for (Driver driver : Driver.values()) {
				if (this.user.refusals().isEmpty()) {
					server.cli("FLUSHALL");
					server.cli("SCRIPT", "FLUSH");
					tryEverything(driver);
				}
			}
			if (this.user.refusals().isEmpty()) {
				needless.add(command);
			}
			else {
				assertThat(this.user.refusals()).as("refusals without +%s", command)
					.allMatch((refusal) -> refusal.equals("command " + command));
			}
		}
		assertThat(needless).as("commands that nothing asks for").isEmpty();
	}

	@Test
	void keysAndChannelsOfOthersAreOutOfReach() {
		try (RedisStores others = DriverStores.on(connect(Driver.LETTUCE)).keyPrefix("other:")) {
			TaskStore other = others.open();
			assertThatExceptionOfType(DelayQueueException.class)
				.isThrownBy(() -> other.schedule("q", List.of(task("a", TaskPriority.LOW))))
				.withMessageContaining("Could not schedule in queue 'q': Redis refused (NOPERM");
		}
	}

	private void tryEverything(Driver driver) {
		try {
			useEverything(driver);
		}
		catch (DelayQueueException | AssertionError | ConditionTimeoutException ex) {
			assertThat(this.user.refusals()).as("what made it fail: %s", ex).isNotEmpty();
		}
	}

	private void useEverything(Driver driver) {
		useEverything(connect(driver), "delay:queue:", () -> !this.user.refusals().isEmpty());
	}

	static void useEverything(RedisConnectionFactory connections, String keyPrefix, BooleanSupplier refused) {
		try (RedisStores stores = DriverStores.on(connections).keyPrefix(keyPrefix)) {
			useEverything(stores.open(), refused);
		}
		// there is no replica to wait for
		try (RedisStores hurried = DriverStores.on(connections)
			.minReplicas(1)
			.keyPrefix(keyPrefix)
			.commandTimeout(Duration.ofSeconds(1))) {
			TaskStore store = hurried.open();
			List<NewTask> tasks = List.of(task("b", TaskPriority.NORMAL));
			await().ignoreExceptionsInstanceOf(StoreUnavailableException.class)
				.until(() -> refused.getAsBoolean() || store.schedule("q", tasks, ScheduleOptions.CONFIRMED) != null);
		}
	}

	private static void useEverything(RedisTaskStore store, BooleanSupplier refused) {
		QueueControl.of(store).announce("q");
		assertThat(QueueView.of(store).queues()).containsExactly("q");
		QueueControl.of(store).announce("unused");
		assertThat(QueueControl.of(store).forget("unused")).isTrue();
		AtomicInteger wakes = new AtomicInteger();
		WakeSubscription subscription = store.subscribe("q", (in) -> wakes.incrementAndGet());
		await().until(() -> {
			QueueControl.of(store).clear("q");
			store.schedule("q", List.of(task("a", TaskPriority.HIGH)));
			return wakes.get() > 0 || refused.getAsBoolean();
		});
		NewTask generated = task("n", TaskPriority.NORMAL);
		store.schedule("q", List.of(new NewTask(generated.id(), generated.envelope(), generated.due(),
				generated.priority(), generated.onDuplicate(), true)));
		store.cancel("q", "n");
		store.schedule("q",
				List.of(Tasks.with(Debounce.of(Duration.ofMillis(1), Duration.ofSeconds(1)), Tasks.task("n"))));
		store.cancel("q", "n");
		store.schedule("q", List.of(task("b", TaskPriority.NORMAL), task("c", TaskPriority.LOW)));
		Retention retention = new Retention(Duration.ofHours(1), Duration.ofHours(1), 1L);
		store.claim("q",
				new ClaimRequest("t", 10, 5, true, true, ClaimTerms.of(Duration.ofSeconds(5), List.of(), null)));
		store.requireRole(TaskRetention.class).tend("q", retention);
		store.extend("q", List.of(new Extension("a", "t", Duration.ofSeconds(5))));
		store.settle("q", List.of(Endings.complete("a", "t", true),
				Endings.deadLetter("b", "t", true, new byte[] { 'x' }), Endings.release("c", "t", Duration.ZERO)));
		store.find("q", "b");
		QueueView.of(store).list("q", TaskState.DEAD, 0, 10);
		QueueView.of(store).list("q", TaskState.DEAD, 0, 10, Contents.SMALL);
		QueueControl.of(store).redrive("q", List.of("b"));
		store.reschedule("q", "b", DueTime.in(Duration.ofHours(1)));
		QueueControl.of(store).purge("q", TaskState.COMPLETED, 10);
		store.cancel("q", "c");
		QueueControl.of(store).setPaused("q", true);
		QueueControl.of(store).setPaused("q", false);
		assertThat(QueueView.of(store).stats("q").waiting()).isEqualTo(1);
		assertThat(QueueView.of(store).history("q").hours()).isNotEmpty();
		assertThat(store.requireRole(InstanceTraces.class).attendance()).isPresent();
		RedisHistograms histograms = store.requireRole(RedisHistograms.class);
		histograms.add("q", new long[22]);
		histograms.read("q", Duration.ofHours(1));
		LeaseHolders holders = store.requireRole(LeaseHolders.class);
		holders.present(List.of("a1"));
		holders.counted("q", "a1");
		holders.takeOver("q", "a1");
		subscription.close();
		QueueControl.of(store).clear("q");
	}

	private static RedisConnectionFactory connect(Driver driver) {
		return driver.connect(DocumentedUser.as("shop", Connections.configuration(server)), "shop");
	}

	private static NewTask task(String id, TaskPriority priority) {
		return new NewTask(id, "E".getBytes(StandardCharsets.UTF_8), DueTime.in(Duration.ZERO), priority,
				Replacement.REPLACE);
	}

}
