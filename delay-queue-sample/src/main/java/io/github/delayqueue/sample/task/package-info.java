/**
 * Any task for any queue, added over HTTP, and a queue to try it with.
 */
@NullMarked
package io.github.delayqueue.sample.task;

import org.jspecify.annotations.NullMarked;
