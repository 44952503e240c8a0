/**
 * The power of servers is cut: what their disks had not synced is gone.
 */
@NullMarked
package io.github.delayqueue.power;

import org.jspecify.annotations.NullMarked;
