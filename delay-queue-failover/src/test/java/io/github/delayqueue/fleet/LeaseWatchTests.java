package io.github.delayqueue.fleet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.event.TaskEvents;
import io.github.delayqueue.fixtures.Codecs;
import io.github.delayqueue.fixtures.RecordingEvents;
import io.github.delayqueue.listener.ConsumerPart;
import io.github.delayqueue.listener.ContainerThreads;
import io.github.delayqueue.listener.Gate;
import io.github.delayqueue.listener.ListenerFixture;
import io.github.delayqueue.listener.ManualThreads;
import io.github.delayqueue.listener.ManualTimer;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.WakeListener;
import io.github.delayqueue.store.WakeSubscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LeaseWatch}: who counts as gone, with a clock to turn.
 */
class LeaseWatchTests {

	private static final Duration INTERVAL = Duration.ofMillis(500);

	private final Holders holders = new Holders();

	private final Threads threads = new Threads();

	private final TaskStore store = mock(TaskStore.class);

	private final RecordingEvents events = new RecordingEvents();

	/** What is consumed. */
	private List<String> sources = List.of("q#1");

	/** What claims from each answer. */
	private List<String> heard = List.of("other~");

	private final Presence presence = new Presence(this.store, this.threads::nanoTime, "", "");

	private LeaseWatch watch;

	private String self;

	@BeforeEach
	void create() {
		given(this.store.role(LeaseHolders.class)).willReturn(this.holders);
		this.self = Presence.holderOf(this.presence.id());
		this.watch = watch(this.threads, Fleet.INSTANCE_TIMEOUT);
	}

	private LeaseWatch watch(ContainerThreads threads, Duration instanceTimeout) {
		ConsumerPart.Consumer consumer = mock(ConsumerPart.Consumer.class);
		given(consumer.sources()).willAnswer((call) -> this.sources);
		return new LeaseWatch(new ConsumerPart.Scope(this.store, Codecs.create(), new TaskEvents(List.of(this.events)),
				threads, () -> List.of(consumer)), this.presence::id, instanceTimeout);
	}

	/**
	 * A subscription costs a connection, and time at the start: to schedule needs none.
	 */
	@Test
	void whoHasNoRunningListenerIsNotCounted() {
		ConsumerPart.Consumer consumer = mock(ConsumerPart.Consumer.class);
		Fleet fleet = new Fleet("", "", Fleet.INSTANCE_TIMEOUT);
		fleet.join(new ConsumerPart.Scope(this.store, Codecs.create(), new TaskEvents(List.of(this.events)),
				this.threads, () -> List.of(consumer)));
		fleet.begin(false);
		assertThat(this.holders.listener).isNull();
		assertThat(fleet.tokenPrefix()).isEmpty();

		fleet.started(consumer);
		assertThat(this.holders.listener).isNotNull();
		assertThat(fleet.tokenPrefix()).isNotEmpty();
	}

	@Test
	void whoIsMissingForMoreThanHalfOfInstanceTimeoutIsGone() {
		begin("other");
		looks(3);
		this.holders.present.remove("other");
		looks(4);
		assertThat(this.holders.taken).isEmpty();
		looks(1);
		assertThat(this.holders.taken).containsExactly("q#1 other");
		assertThat(this.events.events()).containsExactly("take over q 7");
		assertThat(this.watch.known().all()).allMatch((known) -> !known.names("other~"));
	}

	@Test
	void looksExactlyWhenSomebodyIsGone() {
		begin("other");
		this.holders.present.remove("other");
		looks(1);
		this.threads.now += Duration.ofMillis(300).toNanos();
		for (int i = 0; i < 3; i++) {
			this.threads.watch.last().fire();
			this.threads.now += this.threads.watch.last().delay().toNanos();
		}
		assertThat(this.holders.taken).isEmpty();
		assertThat(this.threads.watch.last().delay()).isLessThanOrEqualTo(INTERVAL);
		this.threads.watch.last().fire();
		assertThat(this.holders.taken).hasSize(1);
	}

	@Test
	void looksWaitForNoWork() {
		ContainerThreads pooled = ListenerFixture.threads();
		Gate backlog = new Gate();
		for (boolean taken = true; taken;) {
			taken = pooled.beside(backlog::passUninterrupted);
		}
		this.watch = watch(pooled, Fleet.INSTANCE_TIMEOUT);
		begin("other");
		await().until(() -> this.holders.asked > 2);
		this.watch.end(true);
		backlog.open();
		pooled.shutdown();
	}

	@Test
	void whoIsSeenAgainIsMissingAnew() {
		begin("other");
		for (int i = 0; i < 5; i++) {
			this.holders.present.remove("other");
			looks(4);
			this.holders.present.add("other");
			looks(1);
		}
		assertThat(this.holders.taken).isEmpty();
	}

	@Test
	void whoIsNotCountedItselfJudgesNobodyAndHasNoNameFromThenOn() {
		begin("other");
		looks(1);
		assertThat(this.watch.self().prefix()).isEqualTo(this.self + "~");
		this.holders.present.clear();
		looks(20);
		assertThat(this.holders.taken).isEmpty();
		assertThat(this.watch.self().prefix()).isEmpty();
		this.holders.present.add(this.self);
		looks(5);
		assertThat(this.watch.self().prefix()).isEqualTo(this.self + "~");
		assertThat(this.holders.taken).as("missing since it is counted again").hasSize(1);
	}

	@Test
	void lookThatComesLateForgetsTheOneBefore() {
		begin("other");
		this.holders.present.remove("other");
		looks(1);
		this.threads.now += Duration.ofSeconds(20).toNanos();
		looks(4);
		assertThat(this.holders.taken).isEmpty();
		looks(1);
		assertThat(this.holders.taken).hasSize(1);
	}

	@Test
	void lookThatFailsForgetsTheOneBefore() {
		begin("other");
		this.holders.present.remove("other");
		looks(4);
		this.holders.failure = new StoreUnavailableException(null, null, "away", null);
		looks(1);
		this.holders.failure = null;
		looks(4);
		assertThat(this.holders.taken).isEmpty();
	}

	@Test
	void whoseSubscriptionIsMadeAnewJudgesNobodyForHalfAMinute() {
		begin("other");
		looks(1);
		this.holders.present.remove("other");
		this.holders.listener.wake(Duration.ZERO);
		looks(59);
		assertThat(this.holders.taken).isEmpty();
		looks(1);
		assertThat(this.holders.taken).hasSize(1);
	}

	@Test
	void inAClusterNobodyIsGoneUntilTheSameNodesHaveAnsweredForHalfAMinute() {
		this.holders.places = Set.of("one", "two");
		begin("other");
		this.holders.present.remove("other");
		looks(60);
		this.holders.places = Set.of("one", "three");
		looks(60);
		this.holders.failure = new StoreUnavailableException(null, null, "one is away", null);
		looks(1);
		this.holders.failure = null;
		looks(60);
		this.threads.now += Duration.ofSeconds(20).toNanos();
		looks(60);
		assertThat(this.holders.taken).isEmpty();
		looks(1);
		assertThat(this.holders.taken).hasSize(1);
	}

	@Test
	void whoWasNeverCountedIsGoneOnlyForThoseWhoHaveSeenIt() {
		others("other?");
		begin();
		looks(20);
		assertThat(this.holders.taken).isEmpty();
		this.holders.present.add("other");
		looks(1);
		this.holders.present.remove("other");
		looks(5);
		assertThat(this.holders.taken).hasSize(1);
	}

	@Test
	void asksOnceWhenItIsCountedAndNoMoreWhileNobodyElseHoldsLeases() {
		others();
		begin();
		assertThat(this.watch.self().prefix()).isEqualTo(this.self + "?");
		looks(10);
		assertThat(this.holders.asked).isEqualTo(1);
		assertThat(this.watch.self().prefix()).isEqualTo(this.self + "~");
		assertThat(this.holders.noted).isEmpty();
	}

	@Test
	void whoIsAloneAsksAgainUntilItSeesThatItIsCounted() {
		others();
		begin();
		this.holders.failure = new StoreUnavailableException(null, null, "away", null);
		looks(1);
		this.holders.failure = null;
		this.holders.present.clear();
		looks(1);
		this.holders.present.add(this.self);
		looks(10);
		assertThat(this.watch.self().prefix()).isEqualTo(this.self + "~");
		assertThat(this.holders.asked).isEqualTo(3);
	}

	@Test
	void holderThatIsAloneAndNotCountedAnyMoreTakesItsNameBackUntilItIs() {
		others();
		begin();
		looks(1);
		others(this.self + "~");
		looks(10);
		assertThat(this.holders.asked).as("whether it is still counted").isEqualTo(11);
		assertThat(this.holders.noted).isEmpty();
		this.holders.present.remove(this.self);
		looks(1);
		assertThat(this.watch.self().prefix()).isEmpty();
		assertThat(this.holders.forgotten).containsExactly("q#1 " + this.self + "~");
		assertThat(this.watch.known().of(this.self + "~")).isEmpty();
		assertThat(this.holders.renewed).isOne();
		others();
		looks(10);
		assertThat(this.holders.forgotten).hasSize(1);
		this.holders.present.add(this.self);
		looks(1);
		assertThat(this.watch.self().prefix()).isEqualTo(this.self + "~");
		assertThat(this.holders.noted).containsExactly("q#1 " + this.self);
		assertThat(this.holders.renewed).isOne();
	}

	@Test
	void whoIsNotCountedAnyMoreSubscribesAnewEachHalfMinute() {
		begin("other");
		looks(1);
		this.holders.present.clear();
		looks(121);
		assertThat(this.holders.renewed).isEqualTo(3);
	}

	@Test
	void whoCouldNotSubscribeTakesNoNameBackAndDoesNotSubscribeAnew() {
		this.watch.begin();
		others("other~", this.self + "?");
		looks(100);
		assertThat(this.holders.forgotten).isEmpty();
		assertThat(this.holders.renewed).isZero();
		assertThat(this.watch.self().prefix()).isEqualTo(this.self + "?");
	}

	@Test
	void nameOfOneWhoWasNeverCountedIsForgottenWhenItHasBeenMissingForHalfAMinute() {
		others("other?");
		begin();
		looks(61);
		assertThat(this.holders.forgotten).isEmpty();
		looks(1);
		assertThat(this.holders.forgotten).containsExactly("q#1 other?");
		assertThat(this.watch.known().of("other?")).isEmpty();
		assertThat(this.holders.taken).isEmpty();
	}

	@Test
	void notesThatItIsCountedWhereItTookTasksBefore() {
		others();
		begin();
		looks(1);
		others(this.self + "?");
		looks(1);
		assertThat(this.holders.noted).containsExactly("q#1 " + this.self);
		assertThat(this.watch.known().of(this.self + "?")).isEmpty();
		assertThat(this.watch.known().of(this.self + "~")).hasSize(1);
	}

	@Test
	void whoMayNotAskTriesAgainAfterAMinute() {
		begin("other");
		this.holders.failure = new DelayQueueException(null, null, "NOPERM");
		looks(100);
		assertThat(this.holders.asked).isEqualTo(1);
		assertThat(this.watch.self().prefix()).isEqualTo(this.self + "?");
		looks(40);
		assertThat(this.holders.asked).isEqualTo(2);
	}

	@Test
	void endsNoLeasesByAnAnswerThatIsOldAndReportsOnceForAQueue() {
		this.sources = List.of("q#1", "q#2", "q#3", "q#4");
		begin("other");
		looks(1);
		this.holders.present.remove("other");
		this.holders.onTakeOver = () -> {
			assertThat(this.events.events()).isEmpty();
			this.threads.now += Duration.ofMillis(400).toNanos();
		};
		looks(5);
		assertThat(this.holders.taken).hasSize(3);
		assertThat(this.events.events()).containsExactly("take over q 15");
		this.holders.present.add("other");
		looks(10);
		assertThat(this.holders.taken).hasSize(3);
	}

	@Test
	void goesOnAfterAnErrorBetweenTwoLooks() {
		begin("other");
		looks(1);
		List<String> consumed = this.sources;
		this.sources = null;
		this.threads.now += INTERVAL.toNanos();
		assertThatCode(() -> this.threads.watch.last().fire()).doesNotThrowAnyException();
		this.sources = consumed;
		this.holders.present.remove("other");
		looks(5);
		assertThat(this.holders.taken).hasSize(1);
	}

	@Test
	void aSourceThatRefusesANoteKeepsNobodyFromTakingOver() {
		begin("other");
		others("other~", "odd?", "even?");
		looks(1);
		this.holders.refusing = "q#1";
		looks(60);
		this.holders.present.remove("other");
		looks(5);
		assertThat(this.holders.taken).containsExactly("q#1 other");
		assertThat(this.events.events()).containsExactly("take over q 7");
	}

	@Test
	void whoIsGoneIsToldOfThoughAStrangerCannotBeForgotten() {
		begin("other");
		others("other~", "odd?", "even?");
		this.holders.refusing = "q#1";
		this.holders.refusal = new StoreUnavailableException(null, null, "away", null);
		looks(57);
		this.holders.present.remove("other");
		looks(5);
		assertThat(this.holders.taken).containsExactly("q#1 other");
		assertThat(this.events.events()).containsExactly("take over q 7");
	}

	@Test
	void aSourceThatRefusesANoteKeepsNobodyFromBeingCounted() {
		this.sources = List.of("q#1", "q#2");
		others(this.self + "?");
		begin();
		this.holders.refusing = "q#1";
		looks(1);
		assertThat(this.holders.noted).containsExactly("q#2 " + this.self);
		this.holders.present.clear();
		looks(1);
		assertThat(this.holders.forgotten).contains("q#2 " + this.self + "?").noneMatch((one) -> one.startsWith("q#1"));
		assertThat(this.holders.renewed).isOne();
		this.holders.refusing = "";
		looks(1);
		assertThat(this.holders.forgotten).contains("q#1 " + this.self + "?");
	}

	@Test
	void whoHasLeftHasNoNameForWhatItClaimsLater() {
		begin("other");
		looks(1);
		this.holders.onPresent = this.watch::leave;
		looks(1);
		assertThat(this.watch.self().prefix()).isEmpty();
	}

	@Test
	void asksLessOftenIfThereIsMoreTimeAndAtLeastEachSecond() {
		this.watch = watch(this.threads, Duration.ofMinutes(1));
		begin("other");
		looks(1);
		assertThat(this.threads.watch.last().delay()).isEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void isOffIfLeasesHaveToRunOut() {
		this.watch = watch(this.threads, Duration.ZERO);
		this.watch.begin();
		assertThat(this.threads.watch.timers()).isEmpty();
		assertThat(this.holders.listener).isNull();
		assertThat(this.watch.self().prefix()).isEmpty();
	}

	private void others(String... holders) {
		this.heard = List.of(holders);
	}

	private void claim() {
		this.sources.forEach((source) -> this.watch.heard("q", source, this.heard));
	}

	/** Begin among others, and be counted. */
	private void begin(String... present) {
		this.watch.begin();
		claim();
		this.holders.present.addAll(List.of(present));
		this.holders.present.add(this.self);
		this.holders.listener.wake(Duration.ZERO);
	}

	private void looks(int count) {
		for (int i = 0; i < count; i++) {
			claim();
			this.threads.now += INTERVAL.toNanos();
			this.threads.watch.last().fire();
		}
	}

	/** One thread, and a clock that stands still. */
	private static final class Threads extends ManualThreads {

		private long now = 1;

		Threads() {
			super(new ManualTimer(), (calls) -> {
				calls.run();
				return true;
			});
		}

		@Override
		public long nanoTime() {
			return this.now;
		}

	}

	private static final class Holders implements LeaseHolders {

		private final Set<String> present = new HashSet<>();

		private final List<String> taken = new ArrayList<>();

		private final List<String> noted = new ArrayList<>();

		private final List<String> forgotten = new ArrayList<>();

		private Set<String> places = Set.of();

		private Runnable onTakeOver = () -> {
		};

		private Runnable onPresent = () -> {
		};

		private volatile int asked;

		private int renewed;

		private @Nullable WakeListener listener;

		private @Nullable RuntimeException failure;

		private String refusing = "";

		private RuntimeException refusal = new DelayQueueException(null, null, "MISCONF");

		@Override
		public WakeSubscription enter(String name, WakeListener listener) {
			this.listener = listener;
			return () -> {
			};
		}

		@Override
		public Set<String> present(Collection<String> names) {
			this.asked++;
			if (this.failure != null) {
				throw this.failure;
			}
			this.onPresent.run();
			Set<String> counted = new HashSet<>(names);
			counted.retainAll(this.present);
			return counted;
		}

		@Override
		public Set<String> places() {
			return this.places;
		}

		@Override
		public void renew() {
			this.renewed++;
		}

		@Override
		public void counted(String partition, String name) {
			mayWrite(partition);
			this.noted.add(partition + " " + name);
		}

		@Override
		public void forget(String partition, String holder) {
			mayWrite(partition);
			this.forgotten.add(partition + " " + holder);
		}

		private void mayWrite(String partition) {
			if (partition.equals(this.refusing)) {
				throw this.refusal;
			}
		}

		@Override
		public int takeOver(String partition, String name) {
			this.taken.add(partition + " " + name);
			this.onTakeOver.run();
			return 9 - 2 * this.taken.size();
		}

	}

}
