package io.github.delayqueue.benchmark.scale;

import java.util.Map;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

import io.github.delayqueue.benchmark.Servers;

/**
 * An application with the delay queue and no listener.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
class ScaleApplication {

	static ConfigurableApplicationContext start(Servers servers) {
		return new SpringApplicationBuilder(ScaleApplication.class).web(WebApplicationType.NONE)
			.properties(Map.of("spring.main.banner-mode", "off", "logging.level.root", "error",
					"spring.data.redis.host", servers.redisHost(), "spring.data.redis.port", servers.redisPort(),
					"spring.main.log-startup-info", "false"))
			.run();
	}

}
