package io.github.delayqueue.sample.redis;

import java.util.Map;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.core.env.Environment;

/**
 * Connects Spring Boot to the embedded Redis if no property says where another one is.
 * Decides while the application starts, not by a condition on a bean: conditions are
 * evaluated at build time where the application runs with {@code spring.aot.enabled}, and
 * nobody knows then which Redis it will be.
 */
class EmbeddedRedisPostProcessor implements BeanPostProcessor {

	private static final Logger logger = LoggerFactory.getLogger(EmbeddedRedisPostProcessor.class);

	/** Properties, and groups of them, that say where a Redis is. */
	private static final Set<String> PLACES = Set.of("url", "host", "port", "sentinel", "cluster", "masterreplica");

	private final Environment environment;

	private final ObjectProvider<EmbeddedRedis> embeddedRedis;

	EmbeddedRedisPostProcessor(Environment environment, ObjectProvider<EmbeddedRedis> embeddedRedis) {
		this.environment = environment;
		this.embeddedRedis = embeddedRedis;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof DataRedisProperties properties) {
			if (isRedisConfigured()) {
				logger.info("Using the Redis of the spring.data.redis properties");
			}
			else {
				EmbeddedRedis redis = this.embeddedRedis.getObject();
				properties.setHost(redis.host());
				properties.setPort(redis.port());
			}
		}
		return bean;
	}

	private boolean isRedisConfigured() {
		Map<String, Object> properties = Binder.get(this.environment)
			.bind("spring.data.redis", Bindable.mapOf(String.class, Object.class))
			.orElse(Map.of());
		return properties.keySet().stream().anyMatch(PLACES::contains);
	}

}
