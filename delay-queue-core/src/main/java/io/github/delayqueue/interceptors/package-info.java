/**
 * A part: puts the interceptors of the application around handlers.
 */
@NullMarked
package io.github.delayqueue.interceptors;

import org.jspecify.annotations.NullMarked;
