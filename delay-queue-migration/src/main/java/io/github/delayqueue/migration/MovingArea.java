package io.github.delayqueue.migration;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.Cursor;
import org.springframework.data.redis.core.HashOperations;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.core.ScanOptions;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.data.redis.serializer.RedisSerializer;

import io.github.delayqueue.DelayQueueException;
import io.github.delayqueue.Names;
import io.github.delayqueue.StoreUnavailableException;

/**
 * Where entries are between their source and their queue, in the Redis and the slot of
 * the source, with a lock that lets one instance at a time move them. What needs the lock
 * throws a {@link LockLostException} if somebody else has it. Not for several threads at
 * once, but for what counts.
 */
final class MovingArea implements StoredValues {

	private static final RedisScript<?> HOLD = script("hold");

	private static final RedisScript<?> TAKE = script("take");

	private static final RedisScript<?> DROP = script("drop");

	/** Counts entries that have become tasks. */
	static final String MOVED = "moved";

	/** Counts entries that were dropped, as there were tasks of their ids. */
	static final String KNOWN = "known";

	/** More are looked at in the next round. */
	private static final int MAX_RECORDS = 10_000;

	private final RedisTemplate<String, byte[]> redis = new RedisTemplate<>();

	private final HashOperations<String, String, byte[]> hashes = this.redis.opsForHash();

	private final String key;

	private final String lock;

	private final String totals;

	private final byte[] holder = utf8(UUID.randomUUID());

	private final byte[] lease;

	/** The lock outlives by the lease who has it. */
	MovingArea(RedisConnectionFactory factory, String key, Duration lease) {
		this.key = key;
		this.lock = key + ":lock";
		this.totals = key + ":totals";
		this.lease = utf8(lease.toMillis());
		this.redis.setConnectionFactory(factory);
		this.redis.setDefaultSerializer(RedisSerializer.byteArray());
		this.redis.setKeySerializer(RedisSerializer.string());
		this.redis.setHashKeySerializer(RedisSerializer.string());
		this.redis.afterPropertiesSet();
	}

	/**
	 * The hash of records. As its lock and its totals it has the hash tag of the source,
	 * so that in a cluster all lies in one slot. Two sources may share one: {@code a} and
	 * <code>{a}</code>.
	 */
	static String key(String prefix, String source) {
		// by Redis's rule: what is between the first brace and the next one that closes
		int open = source.indexOf('{');
		boolean hasHashTag = open >= 0 && source.indexOf('}', open) > open + 1;
		return prefix + "moving:" + (hasHashTag ? source : "{" + source + "}");
	}

	/** Of an entry, in the area and in the log: the same for equal ones, and secret. */
	static String keyOf(byte[] entry) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(entry);
			return HexFormat.of().formatHex(digest, 0, digest.length / 2);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

	private static RedisScript<?> script(String name) {
		return RedisScript.of(new ClassPathResource(name + ".lua", MovingArea.class), List.class);
	}

	/** Asks for the lock, and says whether it is ours, from now on or still. */
	boolean hold() {
		return hold(this.lease);
	}

	/** Makes sure that the lock is still ours, and has not been somebody else's since. */
	void keep() {
		drop(MOVED, List.of());
	}

	/** Lets others have the lock. */
	void letGo() {
		hold(utf8(0));
	}

	private boolean hold(byte[] lease) {
		return answer(() -> isOurs(run(HOLD, List.of(this.lock), List.of(this.holder, lease))));
	}

	/**
	 * Takes entries, given by keys of records, of which they become in the same step, and
	 * answers the score of each that was there, among so many of the first of its place.
	 */
	Map<String, Double> take(Source.Place place, long depth, Map<String, byte[]> entries) {
		List<byte[]> arguments = new ArrayList<>(List.of(place.due() ? utf8(depth) : new byte[0]));
		entries.forEach((key, entry) -> {
			arguments.add(utf8(key));
			arguments.add(entry);
		});
		return step(TAKE, place.takenFrom(), arguments, (scores) -> {
			Map<String, Double> taken = new LinkedHashMap<>();
			int i = 0;
			for (String key : entries.keySet()) {
				String score = text((byte[]) scores.get(i++));
				if (!score.isEmpty()) {
					taken.put(key, Source.score(score));
				}
			}
			return taken;
		});
	}

	/** Drops records, by their keys, and says how many were there and are counted now. */
	long drop(String total, Collection<String> keysOfRecords) {
		List<byte[]> arguments = new ArrayList<>(List.of(utf8(total)));
		keysOfRecords.forEach((key) -> arguments.add(utf8(key)));
		return step(DROP, List.of(this.totals), arguments, (dropped) -> (Long) dropped.get(0));
	}

	/** The records that are there, some thousands of them at most. */
	Collection<MovingRecord> records() {
		return answer(() -> {
			Map<String, MovingRecord> records = new LinkedHashMap<>();
			try (Cursor<Map.Entry<String, byte[]>> cursor = this.hashes.scan(this.key,
					ScanOptions.scanOptions().count(500).build())) {
				while (cursor.hasNext() && records.size() < MAX_RECORDS) {
					Map.Entry<String, byte[]> entry = cursor.next();
					MovingRecord record = MovingRecord.read(entry.getKey(), entry.getValue());
					if (record != null) {
						records.put(record.key(), record);
					}
				}
			}
			return records.values();
		});
	}

	/** How many records there are. */
	long size() {
		return answer(() -> Objects.requireNonNull(this.hashes.size(this.key)));
	}

	/** How many entries have been counted. */
	long total(String total) {
		return answer(() -> {
			byte[] number = this.hashes.get(this.totals, total);
			return (number != null) ? Long.parseLong(text(number)) : 0;
		});
	}

	/** Some entries of a place. */
	List<byte[]> page(Source.Place place, long skip, int limit) {
		long last = skip + limit - 1;
		return answer(() -> List.copyOf(place.sorted() ? this.redis.opsForZSet().range(place.walked(), skip, last)
				: this.redis.opsForList().range(place.walked(), skip, last)));
	}

	/** How many entries of a place there are. */
	long size(Source.Place place) {
		return answer(() -> Objects.requireNonNull(place.sorted() ? this.redis.opsForZSet().zCard(place.walked())
				: this.redis.opsForList().size(place.walked())));
	}

	@Override
	public byte @Nullable [] bytes(String key) {
		return lookUp(key, () -> this.redis.opsForValue().get(key));
	}

	@Override
	public byte @Nullable [] hashBytes(String key, String field) {
		return lookUp(key, () -> this.hashes.get(key, field));
	}

	private byte @Nullable [] lookUp(String key, Supplier<byte @Nullable []> call) {
		try {
			return answer(call);
		}
		catch (RuntimeException ex) {
			String message = NestedExceptionUtils.getMostSpecificCause(ex).getMessage();
			if (message != null && message.startsWith("WRONGTYPE")) {
				// of this entry, not of all
				throw new DelayQueueException(null, null,
						"The key '" + Names.printable(key) + "' is of another type than it is read as");
			}
			throw new StoreUnavailableException(null, null, "A value beside the entries could not be read", ex);
		}
	}

	private <R> R step(RedisScript<?> script, List<String> others, List<byte[]> arguments,
			Function<List<?>, R> reader) {
		List<String> scriptKeys = new ArrayList<>(List.of(this.key, this.lock));
		scriptKeys.addAll(others);
		arguments.addAll(0, List.of(this.holder, this.lease));
		return answer(() -> {
			List<?> reply = run(script, scriptKeys, arguments);
			if (!isOurs(reply)) {
				throw new LockLostException();
			}
			return reader.apply(reply.subList(1, reply.size()));
		});
	}

	private List<?> run(RedisScript<?> script, List<String> scriptKeys, List<byte[]> arguments) {
		return (List<?>) Objects.requireNonNull(this.redis.execute(script, scriptKeys, arguments.toArray()));
	}

	private static boolean isOurs(List<?> reply) {
		return (Long) reply.get(0) == 1;
	}

	/** What else a driver throws is a {@code DataAccessException}. */
	private <R extends @Nullable Object> R answer(Supplier<R> call) {
		try {
			return call.get();
		}
		catch (NullPointerException | ClassCastException | IndexOutOfBoundsException | IllegalArgumentException ex) {
			throw new StoreUnavailableException(null, null,
					"Could not use '" + Names.printable(this.key)
							+ "': the reply is none that our scripts give; it may or may not have been done. Look "
							+ "for a proxy that changes replies",
					ex);
		}
	}

	private static byte[] utf8(Object value) {
		return value.toString().getBytes(StandardCharsets.UTF_8);
	}

	private static String text(byte[] bytes) {
		return new String(bytes, StandardCharsets.UTF_8);
	}

	/** Another instance moves the entries meanwhile, and resumes what was begun. */
	static final class LockLostException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		LockLostException() {
			super("Another instance moves the entries meanwhile", null, false, false);
		}

	}

	/** An entry in the moving area; one that was due had lost its due time. */
	record MovingRecord(String key, boolean due, double score, byte[] content) {

		private static final Pattern FORM = Pattern.compile("([td]):([^:]*):");

		/** Reads a record, {@code null} if it is none. */
		static @Nullable MovingRecord read(String key, byte[] value) {
			Matcher form = FORM.matcher(new String(value, StandardCharsets.ISO_8859_1));
			try {
				return form.lookingAt() ? new MovingRecord(key, form.group(1).equals("d"), Source.score(form.group(2)),
						Arrays.copyOfRange(value, form.end(), value.length)) : null;
			}
			catch (NumberFormatException ex) {
				return null;
			}
		}

	}

}
