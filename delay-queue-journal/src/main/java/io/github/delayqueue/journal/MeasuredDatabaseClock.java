package io.github.delayqueue.journal;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

import org.jspecify.annotations.Nullable;

/**
 * The clock of a database that is asked now and then, so that no task costs a statement.
 * What passes in between is measured: the clock of this machine may be set meanwhile. An
 * answer was right at some instant between question and answer, so there are two bounds.
 * Each answer draws them closer. Thread-safe.
 */
final class MeasuredDatabaseClock extends DatabaseClock {

	/** So often the database is asked, at most, as long as all is well. */
	static final Duration INTERVAL = Duration.ofSeconds(1);

	/** An older answer is not relied on: the database may have another clock since. */
	static final Duration RELIED_ON = Duration.ofSeconds(5);

	/**
	 * If the clock of this machine has moved on by more or less than was measured, it was
	 * set, or the machine stood still, which nobody has measured.
	 */
	static final Duration JUMP = Duration.ofMillis(100);

	/** Of what passes, this part is the most that clocks drift apart. */
	private static final int DRIFT = 2000;

	private final ToLongFunction<Runnable> database;

	private final LongSupplier nanos;

	private final Clock machine;

	private final AtomicReference<@Nullable Answer> askedAfter = new AtomicReference<>();

	private volatile @Nullable Answer known;

	/**
	 * Measure a database's clock by two of this machine.
	 * @param database answers what it shows, in microseconds since the epoch; runs what
	 * it is given just before it asks
	 * @param nanos measures what passes, as {@link System#nanoTime()}
	 * @param machine the clock of this machine
	 */
	MeasuredDatabaseClock(ToLongFunction<Runnable> database, LongSupplier nanos, Clock machine) {
		super(machine);
		this.database = database;
		this.nanos = nanos;
		this.machine = machine;
	}

	@Override
	public Instant instant() {
		Answer answer = this.known;
		long now = micros();
		return (answer != null) ? instant(now + answer.latest() + answer.drift(now)) : super.instant();
	}

	@Override
	Instant earliest() {
		Answer answer = this.known;
		long now = micros();
		return (answer != null) ? instant(now + answer.earliest() - answer.drift(now)) : super.instant();
	}

	@Override
	boolean isToBeAsked() {
		Answer answer = this.known;
		if (answer == null || !isReliable(answer)) {
			return true;
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

	@Override
	void ask() {
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
	 * What is known since an answer.
	 *
	 * @param at when it came, in microseconds as measured
	 * @param machine what the clock of this machine showed
	 * @param earliest by how much, at least, the database's clock is ahead of what is
	 * measured
	 * @param latest by how much at most
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
