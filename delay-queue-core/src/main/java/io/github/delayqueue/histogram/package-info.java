/**
 * How long handlers take, and how late they begin: each instance counts its own, and
 * Redis adds them up. A part: without it, only means are known.
 */
@org.jspecify.annotations.NullMarked
package io.github.delayqueue.histogram;
