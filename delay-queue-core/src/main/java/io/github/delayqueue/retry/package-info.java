/** When a task whose handler failed is delivered again. */
@NullMarked
package io.github.delayqueue.retry;

import org.jspecify.annotations.NullMarked;
