package io.github.delayqueue.testsupport;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Has all tests of a class run once on each of {@link TestServers#all()}. The class takes
 * the {@link TestServer} as a {@code @Parameter} field or in its constructor; then its
 * {@code @BeforeParameterizedClassInvocation} methods can have it, too.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ServerReport.class)
@ParameterizedClass(name = "{0}")
@MethodSource("io.github.delayqueue.testsupport.TestServers#all")
public @interface EachServer {

}
