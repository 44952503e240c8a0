/**
 * What all controllers have in common.
 */
@NullMarked
package io.github.delayqueue.sample.web;

import org.jspecify.annotations.NullMarked;
