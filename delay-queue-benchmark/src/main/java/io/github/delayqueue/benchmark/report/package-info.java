/**
 * Results as data, as tables, as a document with plots; and whether they are what they
 * have to be.
 */
@NullMarked
package io.github.delayqueue.benchmark.report;

import org.jspecify.annotations.NullMarked;
