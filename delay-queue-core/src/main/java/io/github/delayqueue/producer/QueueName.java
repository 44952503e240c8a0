package io.github.delayqueue.producer;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the queue of a {@link DelayQueue} that is injected.
 *
 * <pre class="code">
 * Orders(&#64;QueueName("order_timeout") DelayQueue&lt;Order&gt; timeouts) {
 * }
 * </pre>
 */
@Target({ ElementType.FIELD, ElementType.PARAMETER, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface QueueName {

	/**
	 * The queue: 1 to 128 letters, digits and {@code _ - . :}. Takes placeholders
	 * <code>${…}</code>.
	 */
	String value();

}
