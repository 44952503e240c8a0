/**
 * Checks listeners when they are registered. A part: without it, listeners of a queue may
 * disagree, and nobody is warned of payloads that cannot be read.
 */
@org.jspecify.annotations.NullMarked
package io.github.delayqueue.checks;
