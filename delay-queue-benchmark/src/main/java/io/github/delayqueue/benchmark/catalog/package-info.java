/**
 * Which systems there are.
 */
@NullMarked
package io.github.delayqueue.benchmark.catalog;

import org.jspecify.annotations.NullMarked;
