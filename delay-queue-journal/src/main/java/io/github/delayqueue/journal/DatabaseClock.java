package io.github.delayqueue.journal;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

import org.jspecify.annotations.Nullable;

/**
 * The clock of the database, by which all times in the table count: those of instances
 * may show anything. It is asked now and then, so that no task costs a statement. An
 * answer was right at some instant between question and answer: so there are two bounds,
 * which each answer draws closer. Thread-safe.
 */
final class DatabaseClock implements InstantSource {

	/** So often the database is asked, at most, as long as all is well. */
	static final Duration INTERVAL = Duration.ofSeconds(1);

	/** An older answer is not relied on: the database may have another clock since. */
	static final Duration RELIED_ON = Duration.ofSeconds(5);

	/**
	 * If the clock of this machine has moved otherwise than was measured, it was set, or
	 * the machine stood still.
	 */
	static final Duration JUMP = Duration.ofMillis(100);

	/** Of what passes, this part is the most that clocks drift apart. */
	private static final int DRIFT = 2000;

	private final @Nullable ToLongFunction<Runnable> database;

	private final LongSupplier nanos;

	private final InstantSource machine;

	private final AtomicReference<@Nullable Answer> askedAfter = new AtomicReference<>();

	private volatile @Nullable Answer known;

	/** One that shows what another does. */
	DatabaseClock(InstantSource source) {
		this(null, System::nanoTime, source);
	}

	/**
	 * @param database answers in microseconds since the epoch, and runs what it is given
	 * just before it asks
	 */
	DatabaseClock(@Nullable ToLongFunction<Runnable> database, LongSupplier nanos, InstantSource machine) {
		this.database = database;
		this.nanos = nanos;
		this.machine = machine;
	}

	/** What it shows, or will in a moment: what counts from there is not too early. */
	@Override
	public Instant instant() {
		Answer answer = this.known;
		long now = micros();
		return (answer != null) ? instant(now + answer.latest() + answer.drift(now)) : this.machine.instant();
	}

	/** What it shows, or did a moment ago: what is left from there is not too short. */
	Instant earliest() {
		Answer answer = this.known;
		long now = micros();
		return (answer != null) ? instant(now + answer.earliest() - answer.drift(now)) : this.machine.instant();
	}

	/**
	 * Of threads that want to know, one is told so, unless what is known is not to be
	 * relied on.
	 */
	boolean isToBeAsked() {
		Answer answer = this.known;
		if (answer == null || !isReliable(answer)) {
			return this.database != null;
		}
		Answer asked = this.askedAfter.get();
		return asked != answer && micros() - answer.at() >= TimeUnit.NANOSECONDS.toMicros(INTERVAL.toNanos())
				&& this.askedAfter.compareAndSet(asked, answer);
	}

	private boolean isReliable(Answer answer) {
		long passed = micros() - answer.at();
		long shown = ChronoUnit.MICROS.between(answer.machine(), this.machine.instant());
		return passed <= TimeUnit.NANOSECONDS.toMicros(RELIED_ON.toNanos())
				&& Math.abs(shown - passed) <= TimeUnit.NANOSECONDS.toMicros(JUMP.toNanos());
	}

	/** Ask the database, in the transaction of the calling thread if there is one. */
	void ask() {
		if (this.database == null) {
			return;
		}
		Answer before = this.known;
		long[] asked = { micros() };
		long shown = this.database.applyAsLong(() -> asked[0] = micros());
		long answered = micros();
		Answer answer = new Answer(answered, this.machine.instant(), shown - answered, shown + 1 - asked[0]);
		this.known = (before != null && isReliable(before)) ? answer.within(before) : answer;
	}

	private long micros() {
		return Math.floorDiv(this.nanos.getAsLong(), 1000L);
	}

	private static Instant instant(long micros) {
		return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
	}

	/**
	 * What is known since an answer, in microseconds.
	 *
	 * @param earliest by how much, at least, the database's clock is ahead of what is
	 * measured
	 */
	private record Answer(long at, Instant machine, long earliest, long latest) {

		/** How far clocks may have drifted apart since. */
		long drift(long now) {
			return Math.max(0, now - this.at) / DRIFT;
		}

		/** As far as an earlier one does not say it better. */
		Answer within(Answer earlier) {
			long drift = earlier.drift(this.at);
			long from = Math.max(this.earliest, earlier.earliest - drift);
			long until = Math.min(this.latest, earlier.latest + drift);
			// else the database's clock was set
			return (from <= until) ? new Answer(this.at, this.machine, from, until) : this;
		}

	}

}
