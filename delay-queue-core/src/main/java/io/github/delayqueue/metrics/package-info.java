/**
 * What happens to tasks, as Micrometer meters.
 */
@NullMarked
package io.github.delayqueue.metrics;

import org.jspecify.annotations.NullMarked;
