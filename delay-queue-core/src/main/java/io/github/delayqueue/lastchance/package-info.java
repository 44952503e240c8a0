/**
 * Keeps tasks that would die with the next lease they lose away from each other. A part:
 * without it, a task that ends its process takes those that it runs beside along.
 */
@org.jspecify.annotations.NullMarked
package io.github.delayqueue.lastchance;
