/**
 * The delay queue under faults: consumers and producers in processes of their own, a real
 * Redis, a history outside of it, and a checker that reads the history afterwards.
 */
@NullMarked
package io.github.delayqueue.faults;

import org.jspecify.annotations.NullMarked;
