/**
 * Options of queues and of their listeners, wherever they are set: names, defaults and
 * possible values.
 */
@NullMarked
package io.github.delayqueue.options;

import org.jspecify.annotations.NullMarked;
