package io.github.delayqueue.store.redis;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.TypeMismatchDataAccessException;

import io.github.delayqueue.ScheduleOutcome;
import io.github.delayqueue.StoreUnavailableException;
import io.github.delayqueue.store.ClaimNotes;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.NewTask;

/** Reads the replies of scripts, which are integers, byte strings, and lists of those. */
public final class Replies {

	private static final Pattern HOLDER = Pattern.compile("[A-Za-z0-9]+[~?]");

	private static final ScheduleOutcome[] OUTCOMES = { ScheduleOutcome.CREATED, ScheduleOutcome.REPLACED,
			ScheduleOutcome.REJECTED };

	private Replies() {
	}

	/** Of a byte string. */
	public static String text(Object value) {
		return new String((byte[]) value, StandardCharsets.UTF_8);
	}

	/** The first of it. */
	public static long number(List<?> reply) {
		return (Long) reply.get(0);
	}

	/**
	 * Read a reply that may not be of the shape that it should be of.
	 * @param queue to which queue, or source of one; {@code null} to none
	 * @throws StoreUnavailableException if it is of another shape: who knows then what
	 * has been done
	 */
	public static <R, T> T read(String step, @Nullable String queue, R reply, Function<R, T> reader) {
		try {
			return reader.apply(reply);
		}
		catch (NullPointerException | ClassCastException | IndexOutOfBoundsException | IllegalArgumentException
				| IllegalStateException | ArithmeticException | DateTimeException ex) {
			throw RedisErrors.translate(step, queue, new TypeMismatchDataAccessException(ex.getMessage(), ex),
					Duration.ZERO);
		}
	}

	/** Whether the first of it is one. */
	public static boolean flag(List<?> reply) {
		return isOne(reply.get(0));
	}

	private static boolean isOne(Object flag) {
		assert (Long) flag == 0 || (Long) flag == 1 : flag + " is neither 0 nor 1";
		return (Long) flag == 1;
	}

	/** Which of so many are one. */
	public static Function<List<?>, List<Boolean>> flags(int expected) {
		return (reply) -> requireSize(reply, expected).stream().map(Replies::isOne).toList();
	}

	static Function<List<?>, List<ScheduleOutcome>> outcomes(List<NewTask> tasks) {
		return (reply) -> {
			List<ScheduleOutcome> outcomes = requireSize(reply, tasks.size()).stream()
				.map((outcome) -> OUTCOMES[((Long) outcome).intValue()])
				.toList();
			assert PairChecks.scheduled(tasks, outcomes);
			return outcomes;
		};
	}

	/** Check that it has so many values. */
	public static List<?> requireSize(List<?> reply, int expected) {
		if (reply.size() != expected) {
			throw new IllegalStateException(reply.size() + " answers, not " + expected);
		}
		return reply;
	}

	/** Whether a claim arrived after its deadline and took nothing. */
	static boolean isTooLate(List<?> reply) {
		return reply.size() == 1;
	}

	static ClaimResult claim(List<?> reply) {
		long wakeMicros = (Long) reply.get(1);
		assert wakeMicros >= -1 : wakeMicros + " us until the next claim";
		List<?> values = (List<?>) reply.get(3);
		List<ClaimedRecord> tasks = new ArrayList<>(values.size() / 4);
		// tasks that were due at the same time often have the same record
		byte[] recordBytes = new byte[0];
		DeliveryRecord record = null;
		boolean leaseLost = false;
		for (int i = 0; i < values.size(); i += 4) {
			if (record == null || !Arrays.equals(recordBytes, (byte[]) values.get(i + 2))) {
				recordBytes = (byte[]) values.get(i + 2);
				String text = text(recordBytes);
				record = DeliveryRecord.parse(text);
				leaseLost = text.endsWith(":expired");
			}
			if (record == null) {
				throw new IllegalStateException("A claim returned an invalid delivery");
			}
			tasks.add(new ClaimedRecord(id(values.get(i)), (byte[]) values.get(i + 1), record.priority(),
					record.dueAt(), record.failures(), record.leasesLost(), leaseLost, (byte[]) values.get(i + 3)));
		}
		return new ClaimResult(tasks, instantOfMicros((Long) reply.get(0)),
				(wakeMicros >= 0) ? Duration.of(wakeMicros, ChronoUnit.MICROS) : null, isOne(reply.get(2)),
				notes(reply));
	}

	private static ClaimNotes notes(List<?> reply) {
		return new ClaimNotes(ids((List<?>) reply.get(4)), isOne(reply.get(5)),
				HOLDER.matcher(text(reply.get(6))).results().map(MatchResult::group).toList(), isOne(reply.get(7)));
	}

	/** Of an id, whose bytes may be no text. */
	public static String id(Object value) {
		return IdText.decode((byte[]) value);
	}

	private static List<String> ids(List<?> values) {
		return values.stream().map(Replies::id).toList();
	}

	public static Instant instantOfMicros(long micros) {
		return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
	}

}
