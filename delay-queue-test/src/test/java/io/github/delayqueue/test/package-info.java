@NullMarked
package io.github.delayqueue.test;

import org.jspecify.annotations.NullMarked;
