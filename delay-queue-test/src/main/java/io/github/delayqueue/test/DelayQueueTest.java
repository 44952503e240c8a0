package io.github.delayqueue.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.core.annotation.AliasFor;

/**
 * A test of an application that uses the delay queue, without Redis and without waiting:
 * tasks are kept in memory. {@link DelayQueueTestClock} tells the time and runs what
 * becomes due, on the thread of the test, with the real listeners and their real retries.
 * <p>
 * <b>Alone</b> on a test class it makes an application context of {@link #classes()}, or
 * of the test's nested configuration. The delay queue is in it, with what that needs. The
 * rest of the application is not looked at. Without either, it takes the whole
 * application, as {@link SpringBootTest} without a web environment does.
 * <p>
 * <b>Beside {@code @SpringBootTest}</b>, that annotation says what the context is made
 * of, its properties included, and this one only puts memory and clock in place. Beside
 * other annotations that make a context, such as {@code @DataJpaTest}, and on a class
 * that inherits {@code @SpringBootTest}, use {@link AutoConfigureDelayQueueTest}.
 * <p>
 * Beans to inject: {@link DelayQueueTestClock}, {@link DelayQueueTester}, and those of
 * the delay queue and the application.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE)
@AutoConfigureDelayQueueTest
public @interface DelayQueueTest {

	/**
	 * Components and configurations of the context. Default: the nested configuration of
	 * the test, or else the whole application.
	 */
	@AliasFor(annotation = SpringBootTest.class)
	Class<?>[] classes() default {};

	/** Properties as {@code name=value}. */
	@AliasFor(annotation = SpringBootTest.class)
	String[] properties() default {};

}
