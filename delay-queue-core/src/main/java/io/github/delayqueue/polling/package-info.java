/**
 * Claims tasks by hand, for the methods {@code poll} of templates. A part: without it,
 * they throw.
 */
@org.jspecify.annotations.NullMarked
package io.github.delayqueue.polling;
