package io.github.delayqueue.roles;

import java.util.List;

/**
 * The result of tending a source.
 *
 * @param purged ids of dead letters that the retention removed
 * @param more whether the retention allows more to be removed than this step has removed:
 * another one is worth making soon, and the next claim says so
 */
public record Tended(List<String> purged, boolean more) {
}
