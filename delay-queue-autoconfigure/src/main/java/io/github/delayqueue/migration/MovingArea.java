package io.github.delayqueue.migration;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.Cursor;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.core.ScanOptions;
import org.springframework.data.redis.serializer.RedisSerializer;

import io.github.delayqueue.Names;

/**
 * Where entries are between their source and their queue, in the Redis and the slot of
 * the source: with {@link Place places} that they are taken from, and a lock that lets
 * one instance at a time move them. Not for several threads at once.
 */
final class MovingArea implements StoredValues {

	/** More are looked at in the next round. */
	private static final int MAX_RECORDS = 10_000;

	private final RedisTemplate<byte[], byte[]> template = new RedisTemplate<>();

	private final MovingKeys keys;

	private final byte[] holder = MovingKeys.bytes(UUID.randomUUID().toString());

	private final byte[] lease;

	/**
	 * Create an area.
	 * @param factory connections to the Redis of the source
	 * @param keys what it is called
	 * @param lease for how long the lock outlives who has it
	 */
	MovingArea(RedisConnectionFactory factory, MovingKeys keys, Duration lease) {
		this.keys = keys;
		this.lease = number(lease.toMillis());
		this.template.setConnectionFactory(factory);
		this.template.setDefaultSerializer(RedisSerializer.byteArray());
		this.template.afterPropertiesSet();
	}

	/**
	 * Ask for the lock.
	 * @return whether it is ours, from now on or still
	 */
	boolean hold() {
		return isFirstOne(run(MovingScript.HOLD, List.of(this.keys.lock()), this.holder, this.lease));
	}

	/**
	 * Make sure that the lock is still ours.
	 * @throws LockLostException if it is not
	 */
	void keep() {
		if (!hold()) {
			throw new LockLostException();
		}
	}

	/** Let others have the lock. */
	void letGo() {
		run(MovingScript.HOLD, List.of(this.keys.lock()), this.holder, number(0));
	}

	/**
	 * Take entries from their place, each in one step with becoming a record.
	 * @param place the place
	 * @param depth where they are, among how many of its first entries
	 * @param entries the entries, none of them twice unless they are due
	 * @return the score of each, {@code null} for those that are not there any more
	 */
	List<@Nullable String> take(Place place, long depth, List<Candidate> entries) {
		List<byte[]> arguments = arguments();
		if (place.isDue()) {
			arguments.add(number(depth));
		}
		entries.forEach((entry) -> {
			arguments.add(MovingKeys.bytes(entry.key()));
			arguments.add(entry.member());
		});
		List<byte[]> scriptKeys = new ArrayList<>(List.of(this.keys.area(), this.keys.lock()));
		scriptKeys.addAll(place.takenFrom());
		List<@Nullable String> scores = new ArrayList<>();
		for (Object score : step(place.script(), scriptKeys, arguments)) {
			String text = text((byte[]) score);
			scores.add(text.isEmpty() ? null : text);
		}
		return scores;
	}

	/**
	 * Note that the tasks of records are stored.
	 * @param tasks ids of tasks, by keys of records
	 * @return for each record whether it is there, in the order of the map
	 */
	List<Boolean> mark(Map<String, String> tasks) {
		List<byte[]> arguments = arguments();
		tasks.forEach((key, taskId) -> {
			arguments.add(MovingKeys.bytes(key));
			arguments.add(MovingKeys.bytes(taskId));
		});
		return step(MovingScript.MARK, List.of(this.keys.area(), this.keys.lock()), arguments).stream()
			.map((found) -> !Long.valueOf(0).equals(found))
			.toList();
	}

	/**
	 * Forget records whose entries have arrived.
	 * @param total where they are counted
	 * @param keysOfRecords their keys
	 * @return how many were there
	 */
	long drop(Total total, List<String> keysOfRecords) {
		List<byte[]> arguments = arguments();
		arguments.add(MovingKeys.bytes(total.field));
		keysOfRecords.forEach((key) -> arguments.add(MovingKeys.bytes(key)));
		List<byte[]> scriptKeys = List.of(this.keys.area(), this.keys.lock(), this.keys.totals());
		return (Long) step(MovingScript.DROP, scriptKeys, arguments).get(0);
	}

	/**
	 * Whether a record is there.
	 * @param key its key
	 * @return whether it is
	 */
	boolean contains(String key) {
		return on((connection) -> Boolean.TRUE
			.equals(connection.hashCommands().hExists(this.keys.area(), MovingKeys.bytes(key))));
	}

	/**
	 * The records that are there.
	 * @return some thousands of them at most
	 */
	List<MovingRecord> records() {
		return on((connection) -> {
			Map<String, MovingRecord> records = new HashMap<>();
			ScanOptions options = ScanOptions.scanOptions().count(500).build();
			try (Cursor<Map.Entry<byte[], byte[]>> cursor = connection.hashCommands()
				.hScan(this.keys.area(), options)) {
				while (cursor.hasNext() && records.size() < MAX_RECORDS) {
					Map.Entry<byte[], byte[]> entry = cursor.next();
					MovingRecord record = MovingRecord.read(entry.getKey(), entry.getValue());
					if (record != null) {
						records.put(record.key(), record);
					}
				}
			}
			return List.copyOf(records.values());
		});
	}

	/**
	 * How many records there are.
	 * @return the number
	 */
	long size() {
		return on((connection) -> {
			Long size = connection.hashCommands().hLen(this.keys.area());
			return (size != null) ? size : 0L;
		});
	}

	/**
	 * How many entries have been counted.
	 * @param total what they were counted as
	 * @return the number
	 */
	long total(Total total) {
		byte[] number = on(
				(connection) -> connection.hashCommands().hGet(this.keys.totals(), MovingKeys.bytes(total.field)));
		return (number != null) ? Long.parseLong(text(number)) : 0;
	}

	@Override
	public byte @Nullable [] bytes(String key) {
		return lookUp(key, (connection) -> connection.stringCommands().get(MovingKeys.bytes(key)));
	}

	@Override
	public byte @Nullable [] hashBytes(String key, String field) {
		return lookUp(key,
				(connection) -> connection.hashCommands().hGet(MovingKeys.bytes(key), MovingKeys.bytes(field)));
	}

	private byte @Nullable [] lookUp(String key, Function<RedisConnection, byte @Nullable []> call) {
		try {
			return on(call);
		}
		catch (RuntimeException ex) {
			if (isOfAnotherType(ex)) {
				// of this entry, not of all
				throw new UnreadableEntryException(
						"The key '" + Names.printable(key) + "' is of another type than it is read as");
			}
			throw new LookupFailedException(ex);
		}
	}

	private static boolean isOfAnotherType(RuntimeException ex) {
		String message = NestedExceptionUtils.getMostSpecificCause(ex).getMessage();
		return message != null && message.startsWith("WRONGTYPE");
	}

	<R extends @Nullable Object> R on(Function<RedisConnection, R> call) {
		return this.template.execute(call::apply, true);
	}

	private List<byte[]> arguments() {
		return new ArrayList<>(List.of(this.holder, this.lease));
	}

	/** What follows the one that says that the lock is ours. */
	private List<?> step(MovingScript script, List<byte[]> scriptKeys, List<byte[]> arguments) {
		List<?> reply = run(script, scriptKeys, arguments.toArray());
		if (!isFirstOne(reply)) {
			throw new LockLostException();
		}
		return reply.subList(1, reply.size());
	}

	private List<?> run(MovingScript script, List<byte[]> scriptKeys, Object... arguments) {
		List<?> reply = this.template.execute(script, scriptKeys, arguments);
		return (reply != null) ? reply : List.of();
	}

	private static boolean isFirstOne(List<?> reply) {
		return !reply.isEmpty() && Long.valueOf(1).equals(reply.get(0));
	}

	private static byte[] number(long number) {
		return MovingKeys.bytes(Long.toString(number));
	}

	private static String text(byte[] bytes) {
		return new String(bytes, StandardCharsets.UTF_8);
	}

	/**
	 * What becomes of entries.
	 */
	enum Total {

		/** They became tasks. */
		MOVED("moved"),

		/** There were tasks of their ids. */
		KNOWN("known");

		private final String field;

		Total(String field) {
			this.field = field;
		}

	}

}
