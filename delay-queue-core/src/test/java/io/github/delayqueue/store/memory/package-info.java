/**
 * The in-memory store, held to the contract.
 */
@NullMarked
package io.github.delayqueue.store.memory;

import org.jspecify.annotations.NullMarked;
