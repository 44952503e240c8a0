package io.github.delayqueue.ecosystem.devtools;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication(proxyBeanMethods = false)
class DevToolsApplication {

	public static void main(String[] args) {
		SpringApplication.run(DevToolsApplication.class, args);
	}

}
