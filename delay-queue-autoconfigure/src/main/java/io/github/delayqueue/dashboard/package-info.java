/**
 * The web page: files, a small JSON API beside them, and the adapters that serve both
 * from a servlet or a reactive application.
 */
@NullMarked
package io.github.delayqueue.dashboard;

import org.jspecify.annotations.NullMarked;
