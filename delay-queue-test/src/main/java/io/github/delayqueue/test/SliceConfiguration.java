package io.github.delayqueue.test;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/**
 * What a context gets that no class of it auto-configures: the delay queue, and what
 * turns payloads to JSON and checks them. The names are in the file of this class's name
 * in {@code META-INF/spring}.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration
class SliceConfiguration {

}
