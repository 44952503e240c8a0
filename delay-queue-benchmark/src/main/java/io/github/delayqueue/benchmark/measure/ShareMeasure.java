package io.github.delayqueue.benchmark.measure;

import java.util.List;

import io.github.delayqueue.benchmark.Servers;

/**
 * How evenly two processes share slow work. Of the delay queue only.
 */
final class ShareMeasure extends OwnMeasure {

	/** Key of the measure. */
	static final String KEY = "share";

	private static final int TASKS = 800;

	private static final long WORK_MILLIS = 50;

	private static final long LEAD_MILLIS = 2000;

	private static final long LIMIT_MILLIS = 60_000;

	ShareMeasure() {
		super(KEY, "Two processes share 800 tasks of 50 ms");
	}

	@Override
	void run(Session session, Subject subject) {
		record(session, KEY, () -> measure(session, subject));
	}

	private static Result measure(Session session, Subject subject) {
		Servers servers = new Servers(session.redis().host(), session.redis().port(), session.postgresUrl());
		subject.reset();
		try (Fleet fleet = Fleet.start(subject.type(), servers, 2, TASKS, WORK_MILLIS)) {
			long due = System.currentTimeMillis() + LEAD_MILLIS;
			subject.fill(0, TASKS, (number) -> due);
			Waits.until(due + LIMIT_MILLIS, 2, () -> fleet.isComplete(TASKS));
			double seconds = fleet.lastMicros(0, TASKS) / 1e6 - due / 1e3;
			int least = fleet.shares().stream().mapToInt(Integer::intValue).min().orElse(0);
			Sample sample = Sample.of("share", 100.0 * least / TASKS).with("seconds", seconds).with(fleet.counts());
			return new Result(KEY, subject.key(), List.of(sample), fleet.shares().toString());
		}
		finally {
			subject.reset();
		}
	}

}
