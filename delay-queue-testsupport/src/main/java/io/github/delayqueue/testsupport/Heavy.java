package io.github.delayqueue.testsupport;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;

/**
 * Left to {@code mvn verify -Pfull} and to the heavy parts of CI that take turns: tests
 * that take long, and of whose kind the quick verdict has another.
 */
@Documented
@Inherited
@Tag("heavy")
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
public @interface Heavy {

}
