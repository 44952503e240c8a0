/**
 * Instances of an application know of each other: who consumes which queue, and who is
 * gone and left leases behind. A part: consumers run without it.
 */
@org.jspecify.annotations.NullMarked
package io.github.delayqueue.fleet;
