/**
 * The other systems that the delay queue is compared with, each set up as a competent
 * user would.
 */
@NullMarked
package io.github.delayqueue.benchmark.peers;

import org.jspecify.annotations.NullMarked;
