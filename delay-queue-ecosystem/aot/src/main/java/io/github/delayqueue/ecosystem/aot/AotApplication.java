package io.github.delayqueue.ecosystem.aot;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The build processes it ahead of time. Public, as the class that generated code begins
 * with has to be.
 */
@SpringBootApplication(proxyBeanMethods = false)
public class AotApplication {

	public static void main(String[] args) {
		SpringApplication.run(AotApplication.class, args);
	}

}
