package io.github.delayqueue.sample;

import java.time.Clock;
import java.time.ZoneOffset;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

import io.github.delayqueue.config.EnableDelayQueue;

/**
 * A small shop that uses the delay queue. {@code @EnableDelayQueue} says so, and may be
 * left out: with Spring Boot, the starter on the class path turns the delay queue on.
 */
@SpringBootApplication
@EnableDelayQueue
@EnableConfigurationProperties(SampleProperties.class)
public class SampleApplication {

	public static void main(String[] args) {
		SpringApplication.run(SampleApplication.class, args);
	}

	/**
	 * The shop's clock. Whole milliseconds, as the delay queue counts them, so that what
	 * the shop promises (closesAt) and what the queue does are the same instant.
	 * @return the clock
	 */
	@Bean
	Clock clock() {
		return Clock.tickMillis(ZoneOffset.UTC);
	}

}
