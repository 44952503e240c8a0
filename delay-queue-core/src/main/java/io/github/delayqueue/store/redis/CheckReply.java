package io.github.delayqueue.store.redis;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.QueueCheck;
import io.github.delayqueue.QueueCheck.Finding;
import io.github.delayqueue.QueueCheck.Kind;
import io.github.delayqueue.QueueCheck.Sums;

/**
 * Reads the replies of the script that checks and repairs, and knows its cursors.
 */
final class CheckReply {

	/** What is being walked through, and the cursor of SCAN: an unsigned number. */
	private static final Pattern CURSOR = Pattern
		.compile("(tasks|deliveries|errors|normal|high|low|leases|dead|completed):(\\d{1,20})");

	private CheckReply() {
	}

	/** As the script takes it; refuses what no reply can have contained. */
	static String requireCursor(@Nullable String cursor) {
		if (cursor == null) {
			return "";
		}
		Matcher matcher = CURSOR.matcher(cursor);
		if (!matcher.matches() || new BigInteger(matcher.group(2)).bitLength() > Long.SIZE) {
			throw new IllegalArgumentException("The cursor is not one that a check has returned");
		}
		return cursor;
	}

	static QueueCheck read(List<?> reply) {
		String cursor = Replies.text(reply.get(0));
		List<?> values = (List<?>) reply.get(2);
		List<Finding> findings = new ArrayList<>(values.size() / 4);
		for (int i = 0; i < values.size(); i += 4) {
			String places = Replies.text(values.get(i + 2));
			String after = Replies.text(values.get(i + 3));
			findings.add(new Finding(Kind.valueOf(Replies.text(values.get(i))), Replies.text(values.get(i + 1)),
					places.isEmpty() ? List.of() : List.of(places.split(",")), after.isEmpty() ? null : after));
		}
		List<?> sums = (List<?>) reply.get(3);
		return new QueueCheck(cursor.isEmpty() ? null : cursor, (Long) reply.get(1), findings, new Sums(
				(Long) sums.get(0), (Long) sums.get(1), (Long) sums.get(2), (Long) sums.get(3), (Long) sums.get(4)));
	}

}
