package io.github.delayqueue.sample.redis;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

import io.github.delayqueue.sample.SampleProperties;

@Configuration(proxyBeanMethods = false)
class EmbeddedRedisConfiguration {

	@Bean(destroyMethod = "close")
	@Lazy
	EmbeddedRedis embeddedRedis(SampleProperties properties) {
		return EmbeddedRedis.start(properties.redis().dataDir(), properties.redis().port());
	}

	@Bean
	static EmbeddedRedisPostProcessor embeddedRedisPostProcessor(Environment environment,
			ObjectProvider<EmbeddedRedis> embeddedRedis) {
		return new EmbeddedRedisPostProcessor(environment, embeddedRedis);
	}

}
