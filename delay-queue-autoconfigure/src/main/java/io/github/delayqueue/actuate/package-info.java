/** Health of the delay queue. */
@NullMarked
package io.github.delayqueue.actuate;

import org.jspecify.annotations.NullMarked;
