/**
 * What stores do for parts beside the steps of tasks, and the words for it: looks,
 * steering, traces of instances. Each is asked for by its type.
 */
@NullMarked
package io.github.delayqueue.roles;

import org.jspecify.annotations.NullMarked;
