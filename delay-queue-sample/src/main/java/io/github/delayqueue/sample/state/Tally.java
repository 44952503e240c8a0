package io.github.delayqueue.sample.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.stereotype.Component;

/**
 * Counts what happens in the shop, for the digest of the day. Only what
 * {@link Change#happened() happened} is counted, so that a task that is delivered twice
 * does not count twice. Thread-safe.
 */
@Component
public class Tally {

	/** The braces keep both keys of the script on one node of a cluster. */
	private static final String RUNNING = "shop:{tally}";

	@SuppressWarnings("rawtypes")
	private static final RedisScript<List> CLOSE = RedisScript.of(new ClassPathResource("scripts/close-tally.lua"),
			List.class);

	private final StringRedisTemplate redis;

	Tally(StringRedisTemplate redis) {
		this.redis = redis;
	}

	public void count(String what) {
		this.redis.opsForHash().increment(RUNNING, what, 1);
	}

	/**
	 * The counts since the last tally was closed.
	 * @return what happened, and how often
	 */
	public Map<String, Long> running() {
		List<Object> entries = new ArrayList<>();
		this.redis.opsForHash().entries(RUNNING).forEach((what, count) -> entries.addAll(List.of(what, count)));
		return counts(entries);
	}

	/**
	 * Close the running tally and begin a new one. Closing one of the same name again
	 * answers what it answered before.
	 * @param name the name of the closed tally
	 * @return what happened, and how often
	 */
	public Map<String, Long> close(String name) {
		List<?> entries = this.redis.execute(CLOSE, List.of(RUNNING, RUNNING + ":" + name));
		return counts(entries);
	}

	private static Map<String, Long> counts(List<?> entries) {
		Map<String, Long> counts = new TreeMap<>();
		for (int i = 0; i < entries.size(); i += 2) {
			counts.put((String) entries.get(i), Long.valueOf((String) entries.get(i + 1)));
		}
		return counts;
	}

}
