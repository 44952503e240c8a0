/**
 * Spring Boot 3.5: the parts of the auto-configuration that use classes which are not the
 * same, or not there, in Spring Boot 4.
 */
@NullMarked
package io.github.delayqueue.boot3;

import org.jspecify.annotations.NullMarked;
