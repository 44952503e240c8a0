/**
 * Spring Boot's auto-configuration: properties, conditions, failure analysis, runtime
 * hints.
 */
@NullMarked
package io.github.delayqueue.autoconfigure;

import org.jspecify.annotations.NullMarked;
