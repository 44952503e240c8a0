package io.github.delayqueue.benchmark.measure;

import java.util.List;

/**
 * How fast several processes together drain one queue, and how many of their claims come
 * back empty while there is a steady flow of tasks. Of the delay queue only.
 */
final class ProcessesMeasure extends OwnMeasure {

	/** Key of the measure. */
	static final String KEY = "processes";

	private static final List<Integer> PROCESSES = List.of(1, 2, 4);

	private static final int REPETITIONS = 3;

	ProcessesMeasure() {
		super(KEY, "Several processes on one queue");
	}

	/**
	 * In turn, so that what disturbs the machine for a while disturbs all numbers alike.
	 */
	@Override
	void run(Session session, Subject subject) {
		List<Team> teams = PROCESSES.stream().map((processes) -> new Team(session, subject, processes)).toList();
		subject.reset();
		try {
			teams.forEach((team) -> team.attempt(team::start));
			for (int round = 0; round < drains(session); round++) {
				teams.forEach((team) -> team.attempt(team::drainOnce));
			}
			teams.forEach((team) -> record(session, team.key(), team::result));
		}
		finally {
			teams.forEach(Team::close);
			subject.reset();
		}
	}

	/**
	 * How often each number of processes drains the queue.
	 * @param session the run
	 * @return the number of drains that count
	 */
	static int drains(Session session) {
		return session.quick() ? 1 : REPETITIONS;
	}

}
