/**
 * What tests of several packages share: real Redis servers, and how to look into them.
 */
@NullMarked
package io.github.delayqueue.testsupport;

import org.jspecify.annotations.NullMarked;
