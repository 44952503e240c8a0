/** Tells a journal whether Redis still has what it had. */
@NullMarked
package io.github.delayqueue.incarnation;

import org.jspecify.annotations.NullMarked;
