@NullMarked
package io.github.delayqueue.journal;

import org.jspecify.annotations.NullMarked;
