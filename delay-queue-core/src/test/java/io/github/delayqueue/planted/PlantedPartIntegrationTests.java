package io.github.delayqueue.planted;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.debounce.Debounce;
import io.github.delayqueue.fixtures.Endings;
import io.github.delayqueue.fixtures.RedisStores;
import io.github.delayqueue.fixtures.Tasks;
import io.github.delayqueue.options.QueueOptions;
import io.github.delayqueue.planted.Lanes.Lane;
import io.github.delayqueue.roles.DueSpan;
import io.github.delayqueue.roles.QueueControl;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.Condition;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Extension;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.TaskStoreFixture;
import io.github.delayqueue.store.redis.RedisTaskStore;
import io.github.delayqueue.testsupport.MutableClock;
import io.github.delayqueue.testsupport.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A part with an option, a wish for tasks, an index and a claim of its own: it is a class
 * and its files, and no other code knows of it.
 */
class PlantedPartIntegrationTests {

	private static final Duration LATER = Duration.ofSeconds(5);

	private static final Condition ANY = Condition.NONE;

	private final MutableClock clock = new MutableClock(TaskStoreFixture.START);

	private final RedisServer server = RedisServer.startNew();

	private final RedisStores stores = RedisStores.on(this.server).clock(this.clock);

	private final RedisTaskStore store = this.stores.open();

	PlantedPartIntegrationTests() {
		QueueOptions inLanes = QueueOptions.builder().with(Lanes.AT_ONCE, 1).build();
		this.store.add(new Lanes((queue) -> queue.equals("lanes") ? inLanes : QueueOptions.DEFAULTS));
	}

	@AfterEach
	void close() {
		this.stores.close();
		this.server.close();
	}

	@Test
	void claimsByItsOwnScriptWhatTasksWishFor() {
		schedule(in("a", "x"), in("b", "x"), in("c", "y"), Tasks.generated("new", Duration.ZERO));
		assertThat(claim(10)).containsExactlyInAnyOrder("a", "c", "new");
		assertThat(claim(10)).containsExactly("b");
		assertThat(entries("ZCARD", "")).as("index of the store").isEqualTo("0");
		assertThat(entries("HGET", ":lanes", "b")).isEqualTo("x");
	}

	@Test
	void keepsInItsOwnIndexWhatEachStepSchedules() {
		schedule(Tasks.task("a"), Tasks.task("b"), Tasks.task("c", LATER));
		assertThat(this.store.schedule("lanes",
				List.of(Tasks.task("a", LATER), Tasks.task("b", LATER, Replacement.REJECT))))
			.containsExactly(ScheduleOutcome.REPLACED, ScheduleOutcome.REJECTED);
		assertThat(claim(10)).containsExactly("b");
		assertThat(this.store.extend("lanes", List.of(new Extension("b", "t", LATER)))).containsExactly(true);
		assertThat(this.store.reschedule("lanes", "c", DueTime.in(Duration.ZERO), ANY)).isTrue();
		assertThat(this.store.cancel("lanes", "a", ANY)).isTrue();
		assertThat(this.store.settle("lanes", List.of(Endings.retry("b", "t", Duration.ZERO, null))))
			.containsExactly(true);
		assertThat(waiting()).containsExactly("b", "c");
		assertThat(claim(1)).containsExactly("b");
		this.store.settle("lanes", List.of(Endings.deadLetter("b", "t", true, null)));
		assertThat(QueueControl.of(this.store).redrive("lanes", List.of("b"), DueSpan.NOW)).containsExactly(true);
		assertThat(waiting()).containsExactly("b", "c");
		assertThat(this.store.cancel("lanes", "b", ANY)).isTrue();
		assertThat(waiting()).containsExactly("c");
	}

	@Test
	void worksWithOtherPartsInOneCall() {
		schedule(in("a", "x"), Tasks.with(Debounce.of(LATER, LATER), Tasks.task("b")));
		this.clock.advance(Duration.ofSeconds(1));
		schedule(Tasks.with(Debounce.of(LATER, LATER), Tasks.task("b")));
		this.clock.advance(Duration.ofSeconds(4));
		assertThat(claim(1)).containsExactly("a");
		assertThat(claim(1)).as("by the limit of the burst").containsExactly("b");
	}

	@Test
	void refusesBeforeAnythingIsStored() {
		assertThatExceptionOfType(DelayQueueException.class).isThrownBy(() -> schedule(Tasks.task("b"), in("a", "")))
			.withMessageContaining("a lane has no name");
		assertThat(this.server.cli("KEYS", "*{lanes}*")).isEqualTo(List.of());
	}

	/**
	 * Its commands are counted as well: a queue that is not its own costs what it did.
	 */
	@Test
	void leavesOtherQueuesAsTheyAre() {
		List<String> without = steps(this.stores.open());
		assertThat(steps(this.store)).isEqualTo(without);
	}

	private List<String> steps(TaskStore store) {
		this.server.cli("FLUSHALL");
		this.server.cli("CONFIG", "RESETSTAT");
		store.schedule("q", List.of(Tasks.generated("new", Duration.ZERO), Tasks.task("a"), Tasks.task("b", LATER)));
		store.claim("q", ClaimRequest.of("t", 10, LATER));
		store.settle("q", List.of(Endings.retry("a", "t", LATER, null), Endings.complete("new", "t", false)));
		store.cancel("q", "b", ANY);
		Stream<String> scripts = Stream.of(Objects.toString(this.server.cli("INFO", "commandstats")).split("\\R"))
			.filter((line) -> line.matches("cmdstat_(z|h(?!ello)).*"));
		return Stream
			.concat(scripts.map((line) -> line.replaceAll(",.*", "")),
					strings(this.server.cli("KEYS", "*{q}*")).stream())
			.sorted()
			.toList();
	}

	private static NewTask in(String id, String lane) {
		return Tasks.with(Lane.of(lane), Tasks.task(id));
	}

	private void schedule(NewTask... tasks) {
		this.store.schedule("lanes", List.of(tasks));
	}

	private List<String> claim(int limit) {
		return this.store.claim("lanes", ClaimRequest.of("t", limit, LATER))
			.tasks()
			.stream()
			.map(ClaimedRecord::id)
			.toList();
	}

	private List<String> waiting() {
		return strings(this.server.cli("ZRANGE", key(":waiting"), "0", "-1"));
	}

	private static List<String> strings(@Nullable Object reply) {
		return ((List<?>) Objects.requireNonNull(reply)).stream().map(Object::toString).toList();
	}

	private String entries(String command, String end, String... arguments) {
		return this.server
			.text(Stream.concat(Stream.of(command, key(end)), Stream.of(arguments)).toArray(String[]::new));
	}

	private String key(String end) {
		return this.stores.keyPrefix() + "{lanes}" + end;
	}

}
