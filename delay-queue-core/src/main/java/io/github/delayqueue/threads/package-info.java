/**
 * The threads of containers in an application, so many that no call to a server which
 * gives no answer holds up another one. A part: without it, you bring threads.
 */
@NullMarked
package io.github.delayqueue.threads;

import org.jspecify.annotations.NullMarked;
