/**
 * A reminder some days before a coupon expires.
 */
@NullMarked
package io.github.delayqueue.sample.coupon;

import org.jspecify.annotations.NullMarked;
