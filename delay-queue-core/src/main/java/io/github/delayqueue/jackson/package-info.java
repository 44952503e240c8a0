/**
 * Payloads by Jackson 3 and Jackson 2. A part: tasks are stored and delivered with any
 * other {@link io.github.delayqueue.convert.PayloadMapper}.
 */
@org.jspecify.annotations.NullMarked
package io.github.delayqueue.jackson;
