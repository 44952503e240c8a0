/** Annotated bean methods as handlers. */
@NullMarked
package io.github.delayqueue.annotation;

import org.jspecify.annotations.NullMarked;
