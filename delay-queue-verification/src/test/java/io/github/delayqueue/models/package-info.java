/**
 * The models of the protocol in {@code models}: whether they hold, whether each of their
 * guards is needed, and whether the code they name is still there.
 */
@NullMarked
package io.github.delayqueue.models;

import org.jspecify.annotations.NullMarked;
