/** Scheduling and handling of tasks as Micrometer observations: what tracing hangs on. */
@NullMarked
package io.github.delayqueue.observation;

import org.jspecify.annotations.NullMarked;
