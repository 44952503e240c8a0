package io.github.delayqueue.convert;

/**
 * A JSON value inside a larger text, neither copied nor parsed: a tree of Jackson's takes
 * several times the memory of a payload that nobody may ever read.
 *
 * @param bytes the text in UTF-8, not to be changed
 * @param offset where the value begins
 * @param length how many bytes it has
 */
record JsonSlice(byte[] bytes, int offset, int length) {

	static JsonSlice of(byte[] bytes) {
		return new JsonSlice(bytes, 0, bytes.length);
	}

}
