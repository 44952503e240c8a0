package io.github.delayqueue.store;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.github.delayqueue.testsupport.MutableClock;

import static org.assertj.core.api.Assertions.fail;

/**
 * Two stores live through the same random histories, which are always the same ones; in a
 * full run, half of them are new. System properties: {@code history.seed} repeats a
 * single one, {@code history.sequences}, {@code history.steps} and
 * {@code history.minutes} make for more, longer, or as many as possible, half or all of
 * them new.
 */
public abstract class AbstractRandomHistoryTests {

	private static final Logger logger = LoggerFactory.getLogger(AbstractRandomHistoryTests.class);

	/**
	 * The store that is believed.
	 * @param clock the clock it has to read
	 * @return a new store
	 */
	protected abstract HistorySubject openModel(MutableClock clock);

	/**
	 * The store under test.
	 * @param clock the clock it has to read
	 * @return a new store
	 * @throws Exception if it cannot be opened
	 */
	protected abstract HistorySubject openCandidate(MutableClock clock) throws Exception;

	/**
	 * How many histories there are if no system property says otherwise.
	 * @return how many
	 */
	protected abstract int sequences();

	/**
	 * How many histories go on at once.
	 * @return how many
	 */
	protected int lanes() {
		return 1;
	}

	/**
	 * How many groups the queue has, one of them without a name.
	 * @return the number, 0 where it has none
	 */
	protected int groupCount() {
		return 0;
	}

	@Test
	void storesAgreeThroughRandomHistories() throws Exception {
		HistoryRun run = new HistoryRun(HistorySettings.of(sequences()));
		HistoryRun.Failure failure;
		List<HistorySubject> subjects = new ArrayList<>();
		try {
			List<SideBySide> lanes = new ArrayList<>();
			for (int i = 0; i < lanes(); i++) {
				MutableClock clock = new MutableClock(TaskStoreFixture.START);
				subjects.add(openModel(clock));
				subjects.add(openCandidate(clock));
				lanes.add(new SideBySide(subjects.get(2 * i), subjects.get(2 * i + 1), clock, groupCount()));
			}
			failure = run.run(lanes);
		}
		finally {
			subjects.forEach(HistorySubject::close);
		}
		logger.info("{}: {}", getClass().getSimpleName(), run.summary());
		if (failure != null) {
			fail(run.message(failure, command()));
		}
	}

	private String command() {
		return "mvn -pl delay-queue-verification -am verify -Pfull -DskipUnitTests -Dit.test="
				+ getClass().getSimpleName();
	}

}
