package io.github.delayqueue.config;

import java.time.Duration;
import java.util.Optional;

import org.springframework.boot.info.BuildProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.Environment;

import io.github.delayqueue.fleet.Fleet;

/** Makes this instance one of many, by the name and version of its application. */
final class ApplicationFleet {

	private ApplicationFleet() {
	}

	static Fleet of(ApplicationContext context, Duration instanceTimeout) {
		Environment environment = context.getEnvironment();
		return new Fleet(environment.getProperty("spring.application.name", ""),
				Optional.ofNullable(context.getBeanProvider(BuildProperties.class).getIfUnique())
					.map(BuildProperties::getVersion)
					// of the manifest
					.orElseGet(() -> environment.getProperty("spring.application.version", "")),
				instanceTimeout);
	}

}
