/** Events of tasks, for metrics, tracing and applications. */
@NullMarked
package io.github.delayqueue.event;

import org.jspecify.annotations.NullMarked;
