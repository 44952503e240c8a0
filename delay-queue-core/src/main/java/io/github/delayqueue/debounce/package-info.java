/** Tasks that others of the same id put off for a while. */
@NullMarked
package io.github.delayqueue.debounce;

import org.jspecify.annotations.NullMarked;
