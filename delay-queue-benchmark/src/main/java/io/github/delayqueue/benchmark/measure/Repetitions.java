package io.github.delayqueue.benchmark.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.delayqueue.benchmark.measure.RepeatedMeasure.Effort;

/**
 * Repeats a measure on all systems in turn, so that what disturbs the machine for a while
 * disturbs all alike. The first round warms up and does not count, except for systems so
 * slow that there is no time for another.
 */
final class Repetitions {

	private final Session session;

	private final String measure;

	private final Effort effort;

	/**
	 * Plan.
	 * @param session the run
	 * @param measure key of what is measured
	 * @param effort how often
	 */
	Repetitions(Session session, String measure, Effort effort) {
		this.session = session;
		this.measure = measure;
		this.effort = session.quick() ? effort.quick() : effort;
	}

	/**
	 * Measure systems, and record what comes out.
	 * @param subjects the systems
	 * @param measurement one repetition
	 */
	void run(List<Subject> subjects, Function<Subject, Sample> measurement) {
		Map<Subject, State> states = new LinkedHashMap<>();
		subjects.forEach((subject) -> states.put(subject, new State(this.effort.exempt().contains(subject.key()))));
		for (int round = 0; round < this.effort.warmUps() + this.effort.count(); round++) {
			boolean warmUp = round < this.effort.warmUps();
			states.forEach((subject, state) -> {
				if (!state.finished) {
					state.add(once(subject, state, warmUp, measurement), warmUp);
				}
			});
		}
		states.forEach((subject, state) -> this.session
			.record(new Result(this.measure, subject.key(), state.samples, state.note)));
	}

	private Sample once(Subject subject, State state, boolean warmUp, Function<Subject, Sample> measurement) {
		System.gc();
		long start = System.nanoTime();
		Sample sample;
		try {
			sample = measurement.apply(subject);
		}
		catch (RuntimeException ex) {
			state.finished = true;
			state.note = this.session.failed(this.measure, subject.key(), ex);
			subject.reset();
			sample = new Sample(Map.of(), Counts.NONE, false, 0);
		}
		sample = sample.took((System.nanoTime() - start) / 1e9);
		this.session.say("  %-14s %-10s %-40s %s%s (%.1f s)", this.measure, subject.key(), text(sample),
				sample.counts().clean() ? "" : sample.counts(), warmUp ? " warm-up" : "", sample.seconds());
		return sample;
	}

	private boolean isSlow(double seconds) {
		return seconds > (this.session.isLate() ? 0 : this.effort.secondsPerSystem());
	}

	static String text(Sample sample) {
		return (sample.stopped() ? "stopped " : "") + sample.values()
			.entrySet()
			.stream()
			.map((entry) -> entry.getKey() + " "
					+ String.format(Locale.ROOT, (entry.getValue() < 100) ? "%.2f" : "%,.0f", entry.getValue()))
			.collect(Collectors.joining(", "));
	}

	/**
	 * What has come out for a system so far.
	 */
	private final class State {

		private final List<Sample> samples = new ArrayList<>();

		private final boolean exempt;

		private double seconds;

		private boolean finished;

		private String note = "";

		State(boolean exempt) {
			this.exempt = exempt;
		}

		void add(Sample sample, boolean warmUp) {
			this.seconds += sample.seconds();
			this.finished |= sample.stopped() || !this.exempt && isSlow(this.seconds + sample.seconds());
			if (!sample.values().isEmpty() && (!warmUp || this.finished)) {
				this.samples.add(sample);
			}
			if (warmUp && this.finished && this.note.isEmpty()) {
				this.note = "one run, not warmed up";
			}
		}

	}

}
