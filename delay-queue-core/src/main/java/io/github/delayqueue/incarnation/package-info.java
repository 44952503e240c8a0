/** What the journal asks of Redis: whether it still has what it had. */
@NullMarked
package io.github.delayqueue.incarnation;

import org.jspecify.annotations.NullMarked;
