/**
 * The vocabulary that producers, listeners and stores share: tasks, states, figures,
 * errors.
 */
@NullMarked
package io.github.delayqueue;

import org.jspecify.annotations.NullMarked;
