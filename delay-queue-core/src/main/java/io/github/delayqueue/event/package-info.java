/**
 * What happens to tasks, told to those who listen: metrics, tracing and applications hang
 * here.
 */
@NullMarked
package io.github.delayqueue.event;

import org.jspecify.annotations.NullMarked;
