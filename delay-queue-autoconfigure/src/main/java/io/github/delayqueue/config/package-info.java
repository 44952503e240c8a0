/** The beans of the delay queue, with Spring Boot or without. */
@NullMarked
package io.github.delayqueue.config;

import org.jspecify.annotations.NullMarked;
