package io.github.delayqueue.migration;

import java.util.List;

/**
 * A sorted set of members by due time.
 */
final class SortedSetLayout implements Source {

	private final String key;

	private final long millisPerScore;

	SortedSetLayout(String key, long millisPerScore) {
		this.key = key;
		this.millisPerScore = millisPerScore;
	}

	@Override
	public String name() {
		return this.key;
	}

	@Override
	public List<Place> places() {
		byte[] scores = MovingKeys.bytes(this.key);
		return List.of(new Place(scores, true, MovingScript.TAKE, List.of(scores)));
	}

	@Override
	public byte[] value(byte[] member, boolean due) {
		return member;
	}

	@Override
	public long millisPerScore() {
		return this.millisPerScore;
	}

}
