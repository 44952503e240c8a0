package io.github.delayqueue.sample.state;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import tools.jackson.databind.json.JsonMapper;

/**
 * Records of one kind, each as JSON under {@code shop:<kind>:<id>} in Redis.
 * <p>
 * A change is a function from the record as it is to the record as it is to be, applied
 * only if nobody was faster, else computed anew from what the other one left. Whether an
 * order is paid or times out first is decided here, and once. Thread-safe.
 *
 * @param <T> type of the records: immutable, equal by value
 */
public final class Records<T> {

	private static final RedisScript<Boolean> REPLACE = RedisScript
		.of(new ClassPathResource("scripts/replace-if-unchanged.lua"), Boolean.class);

	private final StringRedisTemplate redis;

	private final JsonMapper json;

	private final String kind;

	private final Class<T> type;

	Records(StringRedisTemplate redis, JsonMapper json, String kind, Class<T> type) {
		this.redis = redis;
		this.json = json;
		this.kind = kind;
		this.type = type;
	}

	/**
	 * An id that no other record has.
	 * @return the id, for example {@code order-42}
	 */
	public String nextId() {
		return this.kind + "-" + nextNumber("id");
	}

	/**
	 * The next number of a sequence.
	 * @param sequence its name
	 * @return the number, from 1
	 */
	public long nextNumber(String sequence) {
		Long number = this.redis.opsForValue().increment("shop:sequence:" + this.kind + ":" + sequence);
		return Objects.requireNonNull(number, "not in a pipeline");
	}

	public Optional<T> find(String id) {
		return Optional.ofNullable(this.redis.opsForValue().get(key(id))).map(this::read);
	}

	public void save(String id, T value) {
		this.redis.opsForValue().set(key(id), this.json.writeValueAsString(value));
	}

	/**
	 * Save a record unless there is one. For what is scheduled first and saved then: its
	 * handler may have been faster.
	 * @param id the id
	 * @param value the record
	 */
	public void saveIfAbsent(String id, T value) {
		this.redis.opsForValue().setIfAbsent(key(id), this.json.writeValueAsString(value));
	}

	/**
	 * Change a record.
	 * @param id the id
	 * @param change may be called several times; answers its argument where there is
	 * nothing to change
	 * @return what became of it, empty if there is no such record
	 */
	public Optional<Change<T>> update(String id, UnaryOperator<T> change) {
		while (true) {
			String current = this.redis.opsForValue().get(key(id));
			if (current == null) {
				return Optional.empty();
			}
			Change<T> result = tryUpdate(id, current, read(current), change);
			if (result != null) {
				return Optional.of(result);
			}
		}
	}

	/**
	 * Change a record, or the given one where there is none.
	 * @param id the id
	 * @param initial the record to begin with
	 * @param change may be called several times; answers its argument where there is
	 * nothing to change
	 * @return what became of it
	 */
	public Change<T> update(String id, T initial, UnaryOperator<T> change) {
		saveIfAbsent(id, initial);
		return update(id, change).orElseThrow();
	}

	private @Nullable Change<T> tryUpdate(String id, String current, T before, UnaryOperator<T> change) {
		T after = change.apply(before);
		boolean done = after.equals(before) || Boolean.TRUE
			.equals(this.redis.execute(REPLACE, List.of(key(id)), current, this.json.writeValueAsString(after)));
		return done ? new Change<>(before, after) : null;
	}

	private T read(String value) {
		return this.json.readValue(value, this.type);
	}

	private String key(String id) {
		return "shop:" + this.kind + ":" + id;
	}

}
