/** Micrometer meters of tasks and listeners. */
@NullMarked
package io.github.delayqueue.metrics;

import org.jspecify.annotations.NullMarked;
