/**
 * A notification over HTTP, repeated along a ladder of delays until it gets through.
 */
@NullMarked
package io.github.delayqueue.sample.webhook;

import org.jspecify.annotations.NullMarked;
