/**
 * The code of {@code docs/guide/testing.md} and of the README's part about tests, as an
 * application has it.
 */
@NullUnmarked
package io.github.delayqueue.test.shop;

import org.jspecify.annotations.NullUnmarked;
