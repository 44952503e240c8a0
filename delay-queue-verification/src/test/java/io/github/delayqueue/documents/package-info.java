/**
 * What the documents show is what there is: code compiles, properties can be set, links
 * lead somewhere.
 */
@NullMarked
package io.github.delayqueue.documents;

import org.jspecify.annotations.NullMarked;
