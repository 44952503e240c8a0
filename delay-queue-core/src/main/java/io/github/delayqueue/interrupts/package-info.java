/**
 * A part: interrupts handlers whose tasks were taken from them, if their listeners say
 * so.
 */
@NullMarked
package io.github.delayqueue.interrupts;

import org.jspecify.annotations.NullMarked;
