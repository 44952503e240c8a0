/**
 * The journal: tasks are kept in a table of the application's database until they are
 * finished, and Redis is the clock that delivers them.
 */
@NullMarked
package io.github.delayqueue.journal;

import org.jspecify.annotations.NullMarked;
