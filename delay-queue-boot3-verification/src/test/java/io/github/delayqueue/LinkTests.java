package io.github.delayqueue;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.SpringVersion;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.util.ClassUtils;

import io.github.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.github.delayqueue.boot3.DelayQueueBoot3AutoConfiguration;
import io.github.delayqueue.console.DelayQueueTroubleAutoConfiguration;
import io.github.delayqueue.failover.DriverConnections;
import io.github.delayqueue.journal.Journal;
import io.github.delayqueue.migration.Migration;
import io.github.delayqueue.test.DelayQueueTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The library is compiled against Spring Boot 4, and has to link on the class path of
 * Spring Boot 3, too: the compiler does not see whether it does.
 */
class LinkTests {

	private static final String ROOT = "io/github/delayqueue/";

	private static final String JACKSON = "tools/jackson/databind/";

	private static final String JEDIS = "org/springframework/data/redis/connection/jedis/";

	private static final String HEALTH = "org/springframework/boot/health/";

	/** On ways that only the other generation takes: class, and what it refers to. */
	private static final Map<String, String> MEANT = Map.of("actuate/DelayQueueHealthIndicator", HEALTH,
			"autoconfigure/DelayQueueHealthContributorAutoConfiguration", HEALTH, "jackson/JacksonPayloadMapper",
			JACKSON, "jackson/JacksonPayloadMapper$ClassNamesRefused", JACKSON, "jackson/PlainJsonGenerator",
			JACKSON + "json/JsonMapper", "migration/RedissonPayloads", JACKSON + "JsonNode",
			"migration/RedissonPayloads$ByJackson", JACKSON, "failover/JedisConnections",
			JEDIS + "JedisConnectionFactory.setUseUnifiedJedis(", "config/DelayQueueConfiguration$JacksonConfiguration",
			JACKSON + "json/JsonMapper");

	@Test
	void whatTheClassesReferToIsThere() throws IOException {
		Map<String, Set<String>> missing = new TreeMap<>();
		Links links = new Links(getClass().getClassLoader());
		int classes = 0;
		for (Class<?> module : new Class<?>[] { DelayQueueException.class, DriverConnections.class, Journal.class,
				Migration.class, DelayQueueAutoConfiguration.class, DelayQueueTroubleAutoConfiguration.class,
				DelayQueueBoot3AutoConfiguration.class, DelayQueueTest.class }) {
			for (Resource file : classesBeside(module)) {
				try (InputStream in = file.getInputStream()) {
					Set<String> found = links.missing(in.readAllBytes());
					if (!found.isEmpty()) {
						missing.computeIfAbsent(name(file), (name) -> new TreeSet<>()).addAll(found);
					}
				}
				classes++;
			}
		}
		assertThat(classes).isGreaterThan(300);
		MEANT.forEach((name, expected) -> {
			assertThat(missing).containsKey(name);
			missing.get(name).removeIf((each) -> each.startsWith(expected));
		});
		missing.values().removeIf(Set::isEmpty);
		assertThat(missing).isEmpty();
	}

	private static Resource[] classesBeside(Class<?> module) throws IOException {
		String location = module.getProtectionDomain().getCodeSource().getLocation().toString();
		return new PathMatchingResourcePatternResolver()
			.getResources((location.endsWith(".jar") ? "jar:" + location + "!/" : location) + ROOT + "**/*.class");
	}

	private static String name(Resource file) throws IOException {
		String url = file.getURL().toString();
		return url.substring(url.lastIndexOf(ROOT) + ROOT.length(), url.lastIndexOf('.'));
	}

	/** Or the test above would prove nothing. */
	@Test
	void classPathIsThatOfSpringBoot3() {
		assertThat(SpringVersion.getVersion()).startsWith("6.2.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "tools.jackson.databind.json.JsonMapper",
			"org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration" })
	void classPathHasNothingOfSpringBoot4(String name) {
		assertThat(ClassUtils.isPresent(name, getClass().getClassLoader())).isFalse();
	}

	@Test
	void whatIsMissingIsNoticed() throws IOException {
		try (InputStream in = getClass().getResourceAsStream("LinkTests$Broken.class")) {
			assertThat(new Links(new ClassLoader(getClass().getClassLoader()) {

				@Override
				public InputStream getResourceAsStream(String name) {
					return name.contains("AbsentInThisTest") ? null : super.getResourceAsStream(name);
				}

			}).missing(in.readAllBytes())).containsExactly(ROOT + "LinkTests$AbsentInThisTest");
		}
	}

	private static final class AbsentInThisTest {

	}

	static final class Broken {

		Stream<Object> objects() {
			return Stream.of(new AbsentInThisTest());
		}

	}

}
