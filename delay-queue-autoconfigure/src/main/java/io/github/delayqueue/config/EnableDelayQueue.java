package io.github.delayqueue.config;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Import;

/**
 * Turns the delay queue on: declares {@code DelayQueueTemplate}, the registry of listener
 * containers, what they need, and the processing of {@code @DelayQueueListener}. To be
 * put on a {@code @Configuration} class. It needs a {@code RedisConnectionFactory} and
 * nothing else. A bean that the application declares itself takes the place of the one
 * that would be declared here, among them {@link DelayQueueSettings}.
 * <p>
 * Queues that have a journal by these settings need a bean of type
 * {@link io.github.delayqueue.journal.Journal}, and the tables of
 * {@code io/github/delayqueue/journal/schema-*.sql} in its database.
 * <p>
 * Listeners are looked for in the context that has the annotation, so a context and its
 * parent both need it if both have listeners. The child shares the template, the
 * registry, the store and the settings of its parent; its listeners run while it runs.
 * <p>
 * If a class of the context has {@code @SpringBootApplication} or
 * {@code @EnableAutoConfiguration}, the auto-configuration does all this. The annotation
 * imports nothing then, and tests of a slice start without the delay queue. It has its
 * effect if the auto-configuration of the delay queue is excluded. If
 * {@code delay-queue.enabled} is {@code false}, it declares nothing.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Import(DelayQueueConfigurationSelector.class)
public @interface EnableDelayQueue {

}
