package io.github.delayqueue.config;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Marks the {@code DataSource} that has the tables of the journal. Needed only if an
 * application has several and the primary one, if there is one, is not the right one. The
 * transaction manager has to be one for the same database, see
 * {@link DelayQueueTransactionManager}.
 *
 * <pre class="code">
 * &#64;Bean(defaultCandidate = false)
 * &#64;DelayQueueDataSource
 * DataSource orderDataSource() { ... }
 * </pre>
 */
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Qualifier
public @interface DelayQueueDataSource {

}
