/**
 * A message that is sent at a given date and time.
 */
@NullMarked
package io.github.delayqueue.sample.message;

import org.jspecify.annotations.NullMarked;
