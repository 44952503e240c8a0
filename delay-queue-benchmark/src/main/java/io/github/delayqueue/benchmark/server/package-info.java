/**
 * The servers that are measured on, as processes of their own.
 */
@NullMarked
package io.github.delayqueue.benchmark.server;

import org.jspecify.annotations.NullMarked;
