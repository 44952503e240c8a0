package io.github.delayqueue.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.core.annotation.AliasFor;

import io.github.delayqueue.convert.DeadLetter;

/**
 * Makes a method of a bean the handler of the tasks of a queue that have died. It
 * <em>consumes</em> them: they are moved to a queue of their own,
 * <code>&lt;queue&gt;:dead-letters</code>, and are completed when the method has handled
 * them. For an hour at least they are kept as such, so that no death is handled twice.
 * Nothing is left to redrive. If you only want to be told, and want to keep dead letters,
 * listen to {@link io.github.delayqueue.event.TaskDeadEvent} instead.
 *
 * <pre class="code">
 * &#64;DeadLetterListener(queue = "order_timeout")
 * void giveUp(Order order, TaskFailure failure) {
 * }
 * </pre>
 *
 * The method takes what one with {@link DelayQueueListener} does, and
 * {@link io.github.delayqueue.TaskFailure}: why the task died. Of a
 * {@link io.github.delayqueue.DelayedTask} the payload, the headers and the priority are
 * those of the dead letter, its id is another one, which names the death. The header
 * {@value #TASK_ID} has the id that the task had.
 * <p>
 * A dead letter is a task like any other: it has a lease, is retried as said here, and
 * dies if that does not help, or if its payload cannot be read. It stays dead then, in
 * the queue of dead letters, whose options are set by the name of that queue. Delivery is
 * at least once. It has a journal if the queue has one, and as many replicas are waited
 * for. Options that the dead letter had of its own (attempts, lease duration, recurrence)
 * do not apply to it.
 * <p>
 * A death in this application is handled at once, one elsewhere within the poll interval.
 * Tasks that were dead before the first listener has started are moved too. A task that
 * has died again, after it was redriven or scheduled anew, is handled once more. An id
 * without a task, and what cannot be read as one, stays dead in its queue.
 * <p>
 * Attributes are those of {@link DelayQueueListener} that make sense for single dead
 * letters.
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@DelayQueueListener(deadLetters = true)
public @interface DeadLetterListener {

	/** Header with the id that the task had. */
	String TASK_ID = DeadLetter.TASK_ID;

	/** Alias of {@link #queue()}. */
	@AliasFor(annotation = DelayQueueListener.class, attribute = "queue")
	String[] value() default {};

	/**
	 * The queue whose dead letters are handled, of at most 115 characters. Required. Of
	 * several, see {@link DelayQueueListener#queue()}.
	 */
	@AliasFor(annotation = DelayQueueListener.class, attribute = "queue")
	String[] queue() default {};

	@AliasFor(annotation = DelayQueueListener.class)
	String id() default "";

	@AliasFor(annotation = DelayQueueListener.class)
	String concurrency() default "";

	@AliasFor(annotation = DelayQueueListener.class)
	String leaseDuration() default "";

	@AliasFor(annotation = DelayQueueListener.class)
	String handlerTimeout() default "";

	@AliasFor(annotation = DelayQueueListener.class)
	String autoStartup() default "";

	@AliasFor(annotation = DelayQueueListener.class)
	String maxAttempts() default "";

	@AliasFor(annotation = DelayQueueListener.class)
	String retryDelay() default "";

	@AliasFor(annotation = DelayQueueListener.class)
	String retryIncrement() default "";

	@AliasFor(annotation = DelayQueueListener.class)
	String retryMultiplier() default "";

	@AliasFor(annotation = DelayQueueListener.class)
	String retryMaxDelay() default "";

	@AliasFor(annotation = DelayQueueListener.class)
	String retryJitter() default "";

	@AliasFor(annotation = DelayQueueListener.class)
	String[] retryDelays() default {};

	@AliasFor(annotation = DelayQueueListener.class)
	String retryDelayAfterFalse() default "";

	@AliasFor(annotation = DelayQueueListener.class)
	Class<? extends Throwable>[] noRetryFor() default {};

}
