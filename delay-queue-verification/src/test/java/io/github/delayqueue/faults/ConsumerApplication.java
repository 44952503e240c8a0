package io.github.delayqueue.faults;

import java.nio.file.Path;
import java.util.Arrays;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.annotation.Bean;

import io.github.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.github.delayqueue.event.TaskEventListener;

/**
 * A Spring Boot application that consumes, in a JVM of its own.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@ImportAutoConfiguration({ LifecycleAutoConfiguration.class, DataRedisAutoConfiguration.class,
		DelayQueueAutoConfiguration.class })
class ConsumerApplication {

	/** Written as soon as it consumes. */
	static final String READY = "ready";

	/**
	 * Run.
	 * @param args folder of the histories, name of this process, then properties
	 */
	public static void main(String[] args) {
		HistoryLog log = HistoryLog.open(Path.of(args[0]), args[1]);
		ChildProcess.watch(log);
		new SpringApplicationBuilder(ConsumerApplication.class).web(WebApplicationType.NONE)
			.properties("spring.main.keep-alive=true", "spring.main.banner-mode=off")
			.initializers((context) -> context.getBeanFactory().registerSingleton("historyLog", log))
			.run(Arrays.copyOfRange(args, 2, args.length));
		log.write(READY);
	}

	@Bean
	FaultyHandlers faultyHandlers(HistoryLog log) {
		return new FaultyHandlers(log);
	}

	@Bean
	TaskEventListener settlementLog(HistoryLog log) {
		return new SettlementLog(log);
	}

}
