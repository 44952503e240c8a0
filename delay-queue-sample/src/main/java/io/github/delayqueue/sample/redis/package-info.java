/**
 * The Redis that the sample brings along for machines that have none.
 */
@NullMarked
package io.github.delayqueue.sample.redis;

import org.jspecify.annotations.NullMarked;
