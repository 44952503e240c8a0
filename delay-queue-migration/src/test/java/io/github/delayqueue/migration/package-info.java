/**
 * Tests of moving over, with data that a Redisson wrote while they ran.
 */
@NullUnmarked
package io.github.delayqueue.migration;

import org.jspecify.annotations.NullUnmarked;
