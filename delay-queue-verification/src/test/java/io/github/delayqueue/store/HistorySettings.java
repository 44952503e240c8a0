package io.github.delayqueue.store;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.testsupport.TestEffort;

/**
 * How many histories, and which. All are the same in every run; in a full one, or where
 * somebody asks for a number, half of them are, and the others are new.
 *
 * @param seed of the only history to live through, {@code null} for many
 * @param sequences how many histories
 * @param same how many of these are always the same
 * @param steps how many operations each has, {@code null} for 20 to 60
 * @param time for how long to go on instead, {@code null} for {@code sequences}
 * @param base what the seeds of new histories begin with
 * @param folder where each history is written, {@code null} for nowhere
 */
record HistorySettings(@Nullable Long seed, int sequences, int same, @Nullable Integer steps, @Nullable Duration time,
		long base, @Nullable Path folder) {

	/**
	 * Read the system properties {@code history.seed}, {@code history.sequences},
	 * {@code history.steps} and {@code history.minutes}.
	 * @param sequences how many histories there are by default
	 * @return the settings
	 */
	static HistorySettings of(int sequences) {
		Integer minutes = Integer.getInteger("history.minutes");
		String folder = System.getProperty("history.folder");
		Integer askedFor = Integer.getInteger("history.sequences");
		int all = (askedFor != null) ? askedFor : sequences;
		return new HistorySettings(Long.getLong("history.seed"), all,
				(askedFor != null || TestEffort.hasNewSeeds()) ? all / 2 : all, Integer.getInteger("history.steps"),
				(minutes != null) ? Duration.ofMinutes(minutes) : null,
				1000L * sequences + new Random().nextInt(1_000_000_000) * 1000L,
				(folder != null) ? Path.of(folder) : null);
	}

	/**
	 * The seed of a history.
	 * @param index which one, from zero
	 * @return the seed, {@code null} if there is none of that index
	 */
	@Nullable Long seed(int index) {
		if (this.seed != null) {
			return (index == 0) ? this.seed : null;
		}
		if (this.time == null && index >= this.sequences) {
			return null;
		}
		return (this.time == null && index < this.same) ? Long.valueOf(1 + index) : this.base + index;
	}

	/**
	 * What repeats a history.
	 * @param seed its seed
	 * @return properties for the command line
	 */
	String repeating(long seed) {
		return "-Dhistory.seed=" + seed + ((this.steps != null) ? " -Dhistory.steps=" + this.steps : "");
	}

}
