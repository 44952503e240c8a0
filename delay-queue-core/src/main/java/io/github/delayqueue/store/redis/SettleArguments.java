package io.github.delayqueue.store.redis;

import java.util.List;

import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.Settlement;

/**
 * What {@code settle.lua} is told: runs of settlements that end alike.
 */
final class SettleArguments {

	private SettleArguments() {
	}

	static Arguments add(Arguments arguments, List<Settlement> settlements) {
		for (int i = 0; i < settlements.size();) {
			Settlement first = settlements.get(i);
			int end = i + 1;
			while (end < settlements.size() && first.endsLike(settlements.get(end))) {
				end++;
			}
			arguments.add(first.token())
				.add(action(first.action()))
				.add(first.countFailure() ? "1" : "0")
				.add(time(first))
				.add((first.failure() != null) ? first.failure() : new byte[0])
				.add(end - i);
			for (; i < end; i++) {
				arguments.addId(settlements.get(i).taskId());
			}
		}
		return arguments;
	}

	private static String time(Settlement settlement) {
		if (settlement.next() != null) {
			return Long.toString(DueTime.at(settlement.next()).millis());
		}
		if (settlement.delay() == null) {
			return "";
		}
		String millis = Long.toString(DueTime.in(settlement.delay()).millis());
		return (settlement.action() == Settlement.Action.REPEAT) ? "+" + millis : millis;
	}

	private static String action(Settlement.Action action) {
		return switch (action) {
			case COMPLETE -> "complete";
			case COMPLETE_AND_KEEP -> "keep";
			case RETRY -> "retry";
			case DEAD_LETTER -> "bury";
			case RELEASE -> "release";
			case DROP -> "drop";
			case REPEAT -> "repeat";
			case SKIP -> "skip";
		};
	}

}
