package io.github.delayqueue.sample.state;

import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes the {@link Records} of each case.
 */
@Component
public class RecordsFactory {

	private final StringRedisTemplate redis;

	private final JsonMapper json;

	RecordsFactory(StringRedisTemplate redis, JsonMapper json) {
		this.redis = redis;
		this.json = json;
	}

	public <T> Records<T> records(String kind, Class<T> type) {
		return new Records<>(this.redis, this.json, kind, type);
	}

}
