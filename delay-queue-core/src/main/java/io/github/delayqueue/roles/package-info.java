/**
 * The contract of roles that stores have for parts, beside the steps of tasks: looks,
 * steering, traces of instances. Each is asked for by its type.
 */
@NullMarked
package io.github.delayqueue.roles;

import org.jspecify.annotations.NullMarked;
