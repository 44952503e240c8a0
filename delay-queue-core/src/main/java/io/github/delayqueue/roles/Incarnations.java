package io.github.delayqueue.roles;

import io.github.delayqueue.store.TaskStore;

/**
 * Tells those that keep tasks elsewhere as well whether a {@link TaskStore} still has
 * what it had, and to which table a queue belongs. Thread-safe.
 */
public interface Incarnations {

	/**
	 * Count a beat of a source, and say to which incarnation of the store it belongs.
	 * @param source the name of the source, as {@link TaskStore#sources} returns it
	 * @param known what is remembered of it: if it is of this incarnation, and has fewer
	 * beats, it is an older copy and becomes another incarnation. Its table becomes that
	 * of the source if this has none
	 * @param incarnation the name of the incarnation if there is none yet, or it is to
	 * become another one, see {@link Epoch#requireIncarnation}; one that nobody has used
	 * before
	 * @return the incarnation, the number of beats, and the table of the source. This
	 * beat is counted unless that is another table than the one that is known
	 * @throws IllegalArgumentException if the text is no name of an incarnation
	 */
	Epoch beat(String source, Epoch known, String incarnation);

	/**
	 * Let the tasks of a queue be kept in another table, whatever that was before: claims
	 * with any other are refused, and the next beat is of another incarnation.
	 * @param table the id of the table, empty for none
	 */
	void adopt(String queue, String table);

}
