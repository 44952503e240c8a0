/**
 * What steps of the delay queue cost when a queue holds very many tasks.
 */
@NullMarked
package io.github.delayqueue.benchmark.scale;

import org.jspecify.annotations.NullMarked;
