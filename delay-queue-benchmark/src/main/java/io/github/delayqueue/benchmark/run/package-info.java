/**
 * Runs the measures and has the report written.
 */
@NullMarked
package io.github.delayqueue.benchmark.run;

import org.jspecify.annotations.NullMarked;
