/**
 * Deliberate defects, as patches in {@code src/test/defects}, each of which the fault
 * suite has to notice: a suite that nothing can make fail proves nothing.
 */
@NullMarked
package io.github.delayqueue.defects;

import org.jspecify.annotations.NullMarked;
