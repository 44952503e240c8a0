/**
 * From payloads and envelopes to JSON and back: the only place that knows the envelope's
 * format.
 */
@NullMarked
package io.github.delayqueue.convert;

import org.jspecify.annotations.NullMarked;
