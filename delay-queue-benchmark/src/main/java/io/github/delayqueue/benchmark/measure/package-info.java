/**
 * What is measured, and how.
 */
@NullMarked
package io.github.delayqueue.benchmark.measure;

import org.jspecify.annotations.NullMarked;
