/**
 * The actuator endpoint that shows and steers queues, and the rules of what is wrong with
 * one. Health and meters are told these rules.
 */
@NullMarked
package io.github.delayqueue.console;

import org.jspecify.annotations.NullMarked;
