package io.github.delayqueue.listener;

/**
 * Tells at what local time the store looked at its clock: between sending a call and its
 * answer, but at which moment? The shortest of the latest round trips bounds it. Whoever
 * waits for what the answer announces as long as if it had left the store so long ago
 * comes in time: his next call is on its way while he would still be waiting.
 * <p>
 * Times are of the local monotonic clock, in nanoseconds. Thread-safe.
 */
final class RoundTrips {

	/**
	 * By this part of what it is shorter, the shortest follows a longer one: a network
	 * may become slower.
	 */
	private static final int FORGETTING = 16;

	private long shortest = Long.MAX_VALUE;

	/**
	 * A call was answered.
	 * @param brief whether nothing else was done about the answer on its way: one that
	 * was is no sign of a network that has become slower
	 * @return when to start waiting from: not before the call was sent, and not after it
	 * was answered
	 */
	synchronized long add(long sentAt, long answeredAt, boolean brief) {
		long trip = answeredAt - sentAt;
		long before = Math.min(trip, this.shortest);
		this.shortest = before;
		if (brief) {
			this.shortest += (trip - before) / FORGETTING;
		}
		return answeredAt - before;
	}

}
