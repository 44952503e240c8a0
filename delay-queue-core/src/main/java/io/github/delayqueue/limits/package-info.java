/** Limits of all consumers of a queue together. */
@NullMarked
package io.github.delayqueue.limits;

import org.jspecify.annotations.NullMarked;
