package io.github.delayqueue.console;

import java.util.Set;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code management.endpoint.delayqueue.*}, besides those that every
 * endpoint has.
 *
 * @param showValues When to show payloads of tasks, and stack traces, which are not kept
 * with "never".
 * @param roles Roles of which a user must have one to be shown payloads, where they are
 * shown when authorized. Default: any user who has logged in.
 */
@ConfigurationProperties("management.endpoint.delayqueue")
record DelayQueueEndpointProperties(@DefaultValue("never") Show showValues,
		@DefaultValue Set<String> roles) implements AopInfrastructureBean {

}
