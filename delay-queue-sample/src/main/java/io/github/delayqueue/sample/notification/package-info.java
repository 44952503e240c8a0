/**
 * A notification that is held back for a moment and replaced by a newer one.
 */
@NullMarked
package io.github.delayqueue.sample.notification;

import org.jspecify.annotations.NullMarked;
