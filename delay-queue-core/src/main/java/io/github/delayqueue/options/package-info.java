/**
 * What can be set for queues and for their listeners, wherever it is set: its names, its
 * defaults and what values are possible.
 */
@NullMarked
package io.github.delayqueue.options;

import org.jspecify.annotations.NullMarked;
