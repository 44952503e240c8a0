/**
 * What the consumers of several instances do together: limits, pause and time-outs.
 */
@NullMarked
package io.github.delayqueue.flow;

import org.jspecify.annotations.NullMarked;
