/**
 * Measures the delay queue and others side by side: servers, measures, report. Nothing
 * here is published.
 */
@NullMarked
package io.github.delayqueue.benchmark;

import org.jspecify.annotations.NullMarked;
