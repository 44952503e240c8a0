/**
 * What threads do at the same time, in many orders, run by Lincheck. The races themselves
 * are in the packages whose classes they use.
 */
@NullMarked
package io.github.delayqueue.races;

import org.jspecify.annotations.NullMarked;
