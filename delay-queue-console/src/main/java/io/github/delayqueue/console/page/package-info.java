/** The web page: one document of its files, and the endpoint that serves it. */
@NullMarked
package io.github.delayqueue.console.page;

import org.jspecify.annotations.NullMarked;
