package io.github.delayqueue.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.core.annotation.AliasFor;

/**
 * Makes a method of a bean the handler of a queue: it is called with each task once the
 * task is due, on one of the instances of the application, on several threads at a time.
 * Delivery is at least once.
 *
 * <pre class="code">
 * &#64;DelayQueueListener(queue = "order_timeout")
 * void close(Order order) {
 * }
 * </pre>
 *
 * <h2>Parameters</h2> In any order, each at most once unless said otherwise:
 * <ul>
 * <li>the payload, converted to the full generic type of the parameter. With
 * {@code @Valid} or {@code @Validated} it is validated before the method is called. A
 * payload that is not valid stays so. So does JSON {@code null} for a primitive, a
 * non-null type of Kotlin or JSpecify, or a required
 * {@link org.springframework.messaging.handler.annotation.Payload @Payload}: its task is
 * dead-lettered with the names of the offending fields as reason, and the method is not
 * called</li>
 * <li>{@link io.github.delayqueue.DelayedTask DelayedTask&lt;T&gt;}: the payload with id,
 * headers, due time and attempt</li>
 * <li>{@link io.github.delayqueue.listener.TaskContext}: to extend the lease and to ask
 * whether it is lost</li>
 * <li>any number of
 * {@link org.springframework.messaging.handler.annotation.Header @Header} parameters,
 * converted from the header's text, and
 * {@link org.springframework.messaging.handler.annotation.Headers @Headers Map&lt;String,
 * String&gt;}: the headers given when the task was scheduled, and nothing else. A task
 * that lacks a required header, or has one that cannot be converted, is
 * dead-lettered</li>
 * </ul>
 * A task that was scheduled without a payload, or with {@code null}, brings its id as
 * payload. A method without a parameter for the payload takes any.
 * <p>
 * Constraints on parameters of a class that is {@code @Validated} are checked by its
 * proxy. Tasks that the proxy refuses are dead-lettered as well, in a batch each on its
 * own. A refusal of another bean is an exception like any other.
 * <p>
 * A <em>batch listener</em> takes {@code List<T>} or {@code List<DelayedTask<T>>} (and
 * {@code List<TaskContext>}, in the same order) and is called with tasks that are due
 * together, up to {@link #batchSize()}. A {@code List<DelayedTask<T>>} always makes a
 * batch listener; a {@code List<T>} does so with {@link #batchSize()}, and is the payload
 * itself without. Tasks of a batch that are not valid are dead-lettered, the method gets
 * the others.
 *
 * <h2>Return values</h2>
 * <ul>
 * <li>{@code void}: the task is done unless the method throws</li>
 * <li>{@code boolean}: {@code false} asks for a retry</li>
 * <li>{@link io.github.delayqueue.listener.TaskResult}: done, retried, or
 * dead-lettered</li>
 * <li>of a batch listener, those are for the whole batch, and {@code List<TaskResult>} is
 * for each task, in the order they were given</li>
 * <li>{@link java.util.concurrent.CompletionStage} of any of those
 * ({@code CompletableFuture<Void>} and so on): the task is held until it completes</li>
 * <li>{@code Mono} of any of those, {@code Flux<Void>}, of a batch listener
 * {@code Flux<TaskResult>}, or what else Spring's
 * {@link org.springframework.core.ReactiveAdapterRegistry} adapts, where Reactor is
 * there: it is subscribed to on the thread of the handler, and the task is held until it
 * ends. A {@code suspend} function of Kotlin is waited for in the same way</li>
 * </ul>
 * An exception means a retry, or the end of the task if it is
 * {@link io.github.delayqueue.NonRetryable} or in {@link #noRetryFor()}. Of a batch
 * listener, for each task of the batch.
 *
 * <h2>Beans</h2> The bean must be a singleton (a scoped proxy is one). It is created with
 * the application even if it is lazy, since it would never be called otherwise. Neither
 * it nor the method needs to be public. Behind a JDK proxy the method must be in an
 * interface, which may be generic, behind a proxy of its class neither private nor final.
 * A method that cannot work is reported while the application starts, by
 * {@link io.github.delayqueue.listener.InvalidListenerException}. Beans of a context that
 * has a parent are registered with the parent's registry if it has one, as long as their
 * context runs.
 *
 * <h2>Attributes</h2> All strings take placeholders <code>${…}</code> and expressions
 * <code>#{…}</code>, in which {@code __listener} is the bean that has the method, as in
 * <code>#{__listener.queue}</code>. An empty string, also as the value of a placeholder,
 * means that the attribute is not set. Then {@code delay-queue.queues.<name>.*} counts,
 * then {@code delay-queue.*}, whose defaults are given here. Settings of a task itself
 * take precedence over all of them. Durations are written with a unit ({@code 500ms},
 * {@code 30s}, {@code 10m}, {@code 1h30m}) or in ISO form ({@code PT30S}).
 * <p>
 * Usable as a meta-annotation whose attributes are aliases of these, and repeatable for a
 * method that handles several queues with different attributes.
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Repeatable(DelayQueueListeners.class)
public @interface DelayQueueListener {

	/** Alias of {@link #queue()}. */
	@AliasFor("queue")
	String[] value() default {};

	/**
	 * The queue to consume: 1 to 128 letters, digits and {@code _ - . :}. Required. Of
	 * several, each gets a container of its own with the same attributes. An element may
	 * hold several, separated by commas, as the value of a property does.
	 */
	@AliasFor("value")
	String[] queue() default {};

	/**
	 * Id of the container, unique in the application with all its contexts; to look it
	 * up, start and stop it. By default the names of bean and method, as
	 * {@code orderTimeouts.close}. Further listeners of the same names, and further
	 * queues of the same annotation, have {@code #2} and so on behind it.
	 */
	String id() default "";

	/**
	 * How many tasks (of a batch listener: batches) are handled at a time, 1 to 10000. By
	 * default {@code delay-queue.listener.concurrency}, 8.
	 */
	String concurrency() default "";

	/**
	 * How long the lease on a task lasts before another consumer may take it over. With
	 * {@link #autoRenewLease()} it is extended as long as the handler runs. A duration of
	 * at least 100 ms, by default {@code delay-queue.listener.lease-duration}, 30
	 * seconds.
	 */
	String leaseDuration() default "";

	/**
	 * Whether leases are extended while the handler runs, {@code true} or {@code false}.
	 * By default {@code delay-queue.listener.auto-renew-lease}, {@code true}.
	 */
	String autoRenewLease() default "";

	/**
	 * The time after which a handler is interrupted, which counts as a failure. The lease
	 * is then no longer extended: a handler that ignores the interrupt keeps its worker
	 * until it ends, and its task is delivered again when the lease has run out. A
	 * duration above zero, by default {@code delay-queue.listener.handler-timeout}, 1
	 * hour.
	 */
	String handlerTimeout() default "";

	/**
	 * Whether the handler is interrupted once its task, or all tasks of its batch, were
	 * cancelled, replaced or cleared, {@code true} or {@code false}. By default
	 * {@code delay-queue.listener.interrupt-on-cancel}, {@code false}.
	 */
	String interruptOnCancel() default "";

	/**
	 * How often a task is attempted before it dies, the first attempt included; at least
	 * 1. By default {@code delay-queue.retry.max-attempts}, 10; where
	 * {@link #retryDelays()} are set, one more than there are of them.
	 */
	String maxAttempts() default "";

	/**
	 * Whether the container starts with the application, {@code true} or {@code false}.
	 * By default {@code delay-queue.listener.auto-startup}, {@code true}.
	 */
	String autoStartup() default "";

	/**
	 * Delay before the first retry: a duration of zero or more. By default
	 * {@code delay-queue.retry.delay}, 10 seconds.
	 */
	String retryDelay() default "";

	/**
	 * The amount by which the delay grows with each failure, for linear delays: a
	 * duration of zero or more. By default {@code delay-queue.retry.increment}, zero.
	 */
	String retryIncrement() default "";

	/**
	 * By which factor each delay is longer than the one before, at least 1; 1 for fixed
	 * delays. By default {@code delay-queue.retry.multiplier}, 2; where a
	 * {@link #retryIncrement()} is set, 1.
	 */
	String retryMultiplier() default "";

	/**
	 * Upper bound of the delay: a duration of zero or more. By default
	 * {@code delay-queue.retry.max-delay}, an hour.
	 */
	String retryMaxDelay() default "";

	/**
	 * Up to which fraction of itself a delay is varied, from 0 to 1. By default
	 * {@code delay-queue.retry.jitter}, 0.1.
	 */
	String retryJitter() default "";

	/**
	 * Explicit retry delays: the delay before each retry, in place of the other settings
	 * of the delay. Durations of zero or more; an element may hold several, separated by
	 * commas. By default {@code delay-queue.retry.delays}, none.
	 */
	String[] retryDelays() default {};

	/**
	 * Delay before a retry after the method returned {@code false}, or
	 * {@code TaskResult.retry()}: a duration of zero or more. By default
	 * {@code delay-queue.retry.delay-after-false}, as after an exception.
	 */
	String retryDelayAfterFalse() default "";

	/**
	 * Exceptions, with their subclasses, after which a task dies at once. None by
	 * default.
	 */
	Class<? extends Throwable>[] noRetryFor() default {};

	/**
	 * How many tasks that are due together a batch listener is called with at most, up to
	 * 500. Above 1 the method has to take lists; with 1 a {@code List<T>} still is a
	 * batch, of one task. By default {@code delay-queue.listener.batch-size}, 1, for a
	 * {@code List<DelayedTask<T>>}; other methods get one task at a time.
	 */
	String batchSize() default "";

	/**
	 * Calls the method in fixed steps, for which the listener has a recurring task of its
	 * own. Its id is that of the container ({@link #id()}), it has no payload, and all
	 * instances share it: one of them handles a run. The first that starts schedules it;
	 * it stays as it is when others start, and is replaced where the recurrence has been
	 * changed. It is not removed with the annotation: cancel it. A duration of at least a
	 * second, none by default.
	 */
	String every() default "";

	/**
	 * Calls the method at the times of a cron expression, as {@link #every()} does in
	 * fixed steps. Six fields: second, minute, hour, day, month, day of the week. None by
	 * default; {@code -}, as the value of a placeholder say, is none as well. A task that
	 * is there already stays, and has to be cancelled.
	 */
	String cron() default "";

	/**
	 * The time zone of {@link #cron()}: a region such as {@code Europe/Berlin}, an
	 * offset, or {@code UTC}. Required with it.
	 */
	String zone() default "";

	/**
	 * Says what happens for runs of {@link #every()} or {@link #cron()} that no instance
	 * could start: {@code ONCE} makes up for them by one run, {@code SKIP} does not. By
	 * default {@code ONCE}.
	 */
	String onMissed() default "";

	/**
	 * Whether the method handles tasks of the queue that have died; as
	 * {@link DeadLetterListener} says, which is this annotation with {@code true}.
	 */
	boolean deadLetters() default false;

}
