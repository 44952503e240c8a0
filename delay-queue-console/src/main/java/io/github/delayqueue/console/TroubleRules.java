package io.github.delayqueue.console;

import java.text.MessageFormat;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopInfrastructureBean;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.QueueStats.Delays;
import io.github.delayqueue.QueueStats;
import io.github.delayqueue.actuate.DelayQueueHealth;
import io.github.delayqueue.console.Trouble.Level;
import io.github.delayqueue.fleet.Consumers;
import io.github.delayqueue.roles.History;

/**
 * When a queue is in trouble: the one list behind endpoint, health, meters and page. It
 * judges what the figures of a queue say now, by the clock of the store, and how many of
 * its tasks usually die. For wiring. Immutable.
 *
 * @param maxLag for how long the oldest due task may be waiting; {@code null} for 30
 * seconds, or {@link DelayQueueHealth#grace} if that is longer
 * @param pollInterval how long consumers wait at most between claims
 */
public record TroubleRules(@Nullable Duration maxLag, Duration pollInterval) implements AopInfrastructureBean {

	private static final Logger logger = LoggerFactory.getLogger(TroubleRules.class);

	/** The codes of what is wrong now, all but that of a {@link #wave}. */
	public static final Map<String, Level> CODES = Stream.of(Rule.values())
		.filter((rule) -> rule != Rule.WAVE)
		.collect(Collectors.toUnmodifiableMap((rule) -> rule.code, (rule) -> rule.level));

	/** So many deaths within an hour are no single accidents. */
	private static final int DYING = 10;

	/** So many times as many as in a usual hour. */
	private static final int UNUSUAL = 5;

	private static final int RETRYING = 50;

	/** Of what is handled within the next hour, more than a tenth has failed before. */
	private static final int RETRYING_PART = 10;

	/** How much more than they can do falls upon the workers. */
	private static final long WAVE = 3;

	/** So many times as long as a usual handler. */
	private static final int HANGING = 10;

	private static final Duration MIN_LAG = Duration.ofSeconds(30);

	/** No limit of the lag, and consumers that poll every second. */
	public static final TroubleRules DEFAULTS = new TroubleRules(null, Duration.ofSeconds(1));

	/**
	 * The trouble of a queue whose figures cannot be read.
	 * @param error why
	 */
	public static Trouble unreadable(String error) {
		return Rule.UNREADABLE.trouble(0, error);
	}

	/**
	 * Judge a queue.
	 * @param stats its figures
	 * @param consumers how many instances consume it, {@code null} if that is not known
	 * @param last who did last, {@code null} if that is not known
	 * @param running tasks that are known to be in handlers, the longest first
	 * @param history reads what has happened in it, and is only asked if many tasks have
	 * died or one has been running for long. If it cannot be read, none usually die
	 * @return its troubles, the worst first, none of them a {@link #wave}
	 */
	public List<Trouble> judge(QueueStats stats, @Nullable Integer consumers, Consumers.@Nullable Last last,
			List<Consumers.Running> running, Supplier<History> history) {
		List<Trouble> troubles = new ArrayList<>();
		boolean nobody = consumers != null && consumers == 0;
		if (nobody && !stats.paused() && stats.due() > 0) {
			troubles.add(with(last, Rule.NO_CONSUMER.trouble(lost(stats), stats.due(), stats.oldestDueAge())));
		}
		if (stats.diedLastHour() >= DYING) {
			long usual = HistoryDescriptor.usualDeaths(read(history));
			if (stats.diedLastHour() > UNUSUAL * usual) {
				troubles.add(Rule.DYING.trouble((stats.diedLastHour() - usual) * Duration.ofHours(1).toSeconds(),
						stats.diedLastHour(), stats.dead(), usual));
			}
		}
		if (!stats.paused() && stats.leasesLostFor().compareTo(DelayQueueHealth.grace(this.pollInterval)) > 0) {
			troubles.add(Rule.LEASES_LOST.trouble(stats.leasesLost() * stats.leasesLostFor().toSeconds(),
					stats.leasesLost(), stats.inFlight(), stats.leasesLostFor()));
		}
		addHanging(troubles, running, history);
		if (!nobody && isBehind(stats)) {
			troubles.add(Rule.BEHIND.trouble(lost(stats), stats.oldestDueAge(), stats.due()));
		}
		if (stats.paused() && stats.due() > 0) {
			troubles.add(Rule.PAUSED.trouble(lost(stats), stats.due(), stats.oldestDueAge()));
		}
		long soon = stats.due() + withinAnHour(stats);
		if (stats.retrying() >= RETRYING && stats.retrying() * RETRYING_PART > soon) {
			troubles.add(Rule.RETRYING.trouble(stats.retrying(), stats.retrying(), soon));
		}
		Instant next = stats.nextDueAt();
		if (nobody && stats.due() == 0 && next != null) {
			troubles.add(with(last, Rule.UNCONSUMED.trouble(0, stats.waiting(), next)));
		}
		return troubles;
	}

	/** As if they all had been waiting for as long as the oldest. */
	private static long lost(QueueStats stats) {
		return stats.due() * stats.oldestDueAge().toSeconds();
	}

	private static void addHanging(List<Trouble> troubles, List<Consumers.Running> running, Supplier<History> history) {
		List<Consumers.Running> slow = running.stream()
			.filter((each) -> each.ran().compareTo(each.patience()) >= 0)
			.toList();
		Duration usual = slow.isEmpty() ? Duration.ZERO : meanHandling(read(history));
		List<Consumers.Running> hanging = slow.stream()
			.filter((each) -> !usual.isZero() && each.ran().compareTo(usual.multipliedBy(HANGING)) > 0)
			.toList();
		if (!hanging.isEmpty()) {
			Consumers.Running longest = hanging.get(0);
			troubles.add(Rule.HANGING.trouble(hanging.stream().mapToLong((each) -> each.ran().toSeconds()).sum(),
					hanging.size(), longest.task(), longest.host(), longest.ran(), usual));
		}
	}

	private static History read(Supplier<History> history) {
		try {
			return history.get();
		}
		catch (DelayQueueException ex) {
			logger.debug("It cannot be told what is usual", ex);
			return History.NONE;
		}
	}

	private static Trouble with(Consumers.@Nullable Last last, Trouble trouble) {
		if (last == null) {
			return trouble;
		}
		Instant at = last.at().truncatedTo(ChronoUnit.SECONDS);
		String sentence = "The last consumer, " + last.host() + ", " + switch (last.end()) {
			case SHUTDOWN -> "was shut down at " + at;
			case STOPPED -> "was stopped at " + at;
			case SILENT -> "was last heard of at " + at;
		};
		List<Object> values = new ArrayList<>(trouble.values());
		values.addAll(List.of(last.end().name().toLowerCase(Locale.ROOT), last.host(), at));
		return new Trouble(trouble.code(), trouble.level(), trouble.sentence() + " " + sentence + ".", trouble.advice(),
				List.copyOf(values), trouble.cost());
	}

	/** Whether the oldest due task of a queue has been waiting for too long. */
	public boolean isBehind(QueueStats stats) {
		Duration limit = (this.maxLag != null) ? this.maxLag
				: Collections.max(List.of(MIN_LAG, DelayQueueHealth.grace(this.pollInterval)));
		return !stats.paused() && stats.oldestDueAge().compareTo(limit) > 0;
	}

	/** Tasks that are not yet due, but within the next hour. */
	public static long withinAnHour(QueueStats stats) {
		return stats.delays()
			.stream()
			.filter((delays) -> delays.below() != null && delays.below().compareTo(Duration.ofHours(1)) <= 0)
			.mapToLong(Delays::tasks)
			.sum();
	}

	/** How long a handler takes on average; a second if nobody knows. */
	public static Duration handling(History history) {
		Duration mean = meanHandling(history);
		return mean.isZero() ? Duration.ofSeconds(1) : mean;
	}

	private static Duration meanHandling(History history) {
		long ended = history.hours().stream().mapToLong(History.Hour::ended).sum();
		Duration handling = history.hours().stream().map(History.Hour::handling).reduce(Duration.ZERO, Duration::plus);
		return (ended > 0) ? handling.dividedBy(ended) : Duration.ZERO;
	}

	/**
	 * Whether so many tasks that fall due within a minute are a wave. Also asked of
	 * {@linkplain #withinAnHour more}, it says whether any of these minutes can be one.
	 * @param tasks how many
	 * @param workers how many tasks all instances together handle at a time
	 * @param handling how long each takes
	 */
	public static boolean isWave(long tasks, int workers, Duration handling) {
		return workers > 0
				&& handling.multipliedBy(tasks).compareTo(Duration.ofMinutes(1).multipliedBy(WAVE * workers)) > 0;
	}

	/**
	 * The trouble of a {@linkplain #isWave wave}.
	 * @param tasks how many fall due
	 * @param at in which minute
	 * @param workers how many tasks all instances together handle at a time
	 * @param handling how long each takes
	 */
	public static Trouble wave(long tasks, Instant at, int workers, Duration handling) {
		return Rule.WAVE.trouble(0, tasks, at, workers, handling.multipliedBy(tasks).dividedBy(workers), handling);
	}

	private enum Rule {

		UNREADABLE("unreadable", Level.DANGER, "Its figures cannot be read: {0}.",
				"See whether its part of Redis answers, and whether somebody else has written into its keys."),

		NO_CONSUMER("no-consumer", Level.DANGER, "No instance consumes it: {0} due, the oldest for {1}.",
				"Start a consumer, and compare the name of the queue with that of its listener."),

		DYING("dying", Level.DANGER, "{0} died in the last hour (usually {2}).",
				"Read why, remove the cause, redrive one, and then the others."),

		LEASES_LOST("leases-lost", Level.DANGER,
				"Leases lost by {0} of {1} in flight, the oldest {2} ago, and nobody takes them over.",
				"See whether consumers hang, and whether those that run can reach Redis."),

		HANGING("hanging", Level.WARNING,
				"A handler hangs: ''{1}'' on {2} has been running for {3} (usually {4}), {0} in all.",
				"Take a thread dump of that instance: it says what its handlers wait for."),

		BEHIND("behind", Level.WARNING, "Falls behind: the oldest due task has been waiting for {0}, {1} due.",
				"Add workers or instances, or find out why handlers have become slow."),

		PAUSED("paused", Level.WARNING, "Paused: {0} due meanwhile, the oldest for {1}.",
				"A pause holds until somebody resumes the queue, even after a restart."),

		RETRYING("retrying", Level.WARNING, "{0} waiting for another attempt, {1} due now or within the hour.",
				"Read the last errors of the tasks that wait."),

		UNCONSUMED("unconsumed", Level.NOTE, "No instance consumes it yet: {0} waiting, the first due at {1}.",
				"Compare the name of the queue with that of its listener."),

		WAVE("wave", Level.NOTE, "{0} fall due in the minute of {1}: {2} at a time, they take {3} if each takes {4}.",
				"Add workers or instances before, or spread these tasks.");

		private final String code;

		private final Level level;

		private final String sentence;

		private final String advice;

		Rule(String code, Level level, String sentence, String advice) {
			this.code = code;
			this.level = level;
			this.sentence = sentence;
			this.advice = advice;
		}

		Trouble trouble(long cost, Object... values) {
			Object[] texts = Stream.of(values).map(Rule::text).toArray();
			return new Trouble(this.code, this.level, new MessageFormat(this.sentence, Locale.ENGLISH).format(texts),
					this.advice, List.of(values), cost);
		}

		private static String text(Object value) {
			if (value instanceof Duration duration) {
				return text(duration);
			}
			if (value instanceof Instant instant) {
				return instant.toString();
			}
			return (value instanceof Number) ? String.format(Locale.ENGLISH, "%,d", value) : value.toString();
		}

		/** Two units at most. */
		private static String text(Duration duration) {
			if (duration.toDays() > 0) {
				return duration.toDays() + " d " + duration.toHoursPart() + " h";
			}
			if (duration.toHours() > 0) {
				return duration.toHours() + " h " + duration.toMinutesPart() + " min";
			}
			if (duration.toMinutes() > 0) {
				return duration.toMinutes() + " min " + duration.toSecondsPart() + " s";
			}
			return (duration.toMillis() % 1000 > 0 && duration.toSeconds() == 0) ? duration.toMillis() + " ms"
					: duration.toSeconds() + " s";
		}

	}

}
