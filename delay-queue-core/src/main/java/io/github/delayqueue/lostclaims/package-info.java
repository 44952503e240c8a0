/**
 * Releases what claims have taken whose answers were lost. A part: without it, those
 * tasks are delivered again when their leases have run out.
 */
@org.jspecify.annotations.NullMarked
package io.github.delayqueue.lostclaims;
