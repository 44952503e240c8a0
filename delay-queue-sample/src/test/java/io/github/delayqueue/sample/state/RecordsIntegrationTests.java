package io.github.delayqueue.sample.state;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.data.redis.core.StringRedisTemplate;
import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.sample.redis.TemporaryRedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

/**
 * Tests for {@link Records} and {@link Tally} with a real Redis.
 */
class RecordsIntegrationTests {

	@AutoClose
	private static TemporaryRedis redis;

	private StringRedisTemplate template;

	private Records<Counter> records;

	@BeforeAll
	static void startRedis(@TempDir Path folder) {
		redis = TemporaryRedis.start(folder);
	}

	@BeforeEach
	void clear() {
		this.template = redis.template();
		this.template.delete(this.template.keys("*"));
		this.records = new RecordsFactory(this.template, JsonMapper.builder().build()).records("counter",
				Counter.class);
	}

	@Test
	void doesNotSaveIfThereIsOne() {
		this.records.save("a", new Counter(1));
		this.records.saveIfAbsent("a", new Counter(2));
		assertThat(this.records.find("a")).contains(new Counter(1));
	}

	@Test
	void appliesChangeToWhatOthersHaveLeft() {
		this.records.save("a", new Counter(0));
		AtomicInteger calls = new AtomicInteger();
		this.records.update("a", (counter) -> {
			if (calls.incrementAndGet() == 1) {
				this.records.save("a", new Counter(10));
			}
			return counter.next();
		});
		assertThat(this.records.find("a")).contains(new Counter(11));
		assertThat(calls).hasValue(2);
	}

	@Test
	void closesTallyOnceUnderAName() {
		Tally tally = new Tally(this.template);
		tally.count("ordersPaid");
		tally.count("ordersPaid");
		assertThat(tally.running()).containsOnly(entry("ordersPaid", 2L));
		assertThat(tally.close("monday")).containsOnly(entry("ordersPaid", 2L));
		assertThat(tally.running()).isEmpty();
		tally.count("ordersPaid");
		assertThat(tally.close("monday")).containsOnly(entry("ordersPaid", 2L));
		assertThat(tally.close("tuesday")).containsOnly(entry("ordersPaid", 1L));
		assertThat(tally.close("wednesday")).isEmpty();
	}

	record Counter(int value) {

		Counter next() {
			return new Counter(this.value + 1);
		}

	}

}
