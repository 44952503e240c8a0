/**
 * What the tests of the small applications share: a Redis, and Java processes of their
 * own.
 */
@NullMarked
package io.github.delayqueue.ecosystem.support;

import org.jspecify.annotations.NullMarked;
