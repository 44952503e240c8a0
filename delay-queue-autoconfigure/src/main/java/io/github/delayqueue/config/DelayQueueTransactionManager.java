package io.github.delayqueue.config;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Marks the {@code PlatformTransactionManager} that manages the transactions of the
 * journal: the one that writes your business data. Needed only if an application has
 * several and the primary one, if there is one, is not the right one. It has to manage
 * the {@code DataSource} of the journal, see {@link DelayQueueDataSource}.
 */
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Qualifier
public @interface DelayQueueTransactionManager {

}
