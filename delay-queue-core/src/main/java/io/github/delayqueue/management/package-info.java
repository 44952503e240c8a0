/**
 * Looks at queues and steers them, by scripts of its own. A part: without it, the store
 * in Redis has neither of these roles.
 */
@org.jspecify.annotations.NullMarked
package io.github.delayqueue.management;
