/** Queues whose tasks are of groups, which take turns. */
@NullMarked
package io.github.delayqueue.groups;

import org.jspecify.annotations.NullMarked;
