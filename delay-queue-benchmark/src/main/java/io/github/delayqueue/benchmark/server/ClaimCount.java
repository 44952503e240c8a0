package io.github.delayqueue.benchmark.server;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Counts claims, and those that came back empty, by what {@code MONITOR} shows: a claim
 * that takes tasks adds them to the leases. Fed by one thread.
 */
public final class ClaimCount {

	private static final Pattern SCRIPT = Pattern.compile("\\] \"EVALSHA\" \"(\\p{XDigit}{40})\"",
			Pattern.CASE_INSENSITIVE);

	private static final Pattern TAKES = Pattern.compile(" lua\\] \"ZADD\" \"[^\"]*:leases\"",
			Pattern.CASE_INSENSITIVE);

	private boolean claiming;

	private volatile long claims;

	private volatile long taking;

	/**
	 * Look at a line.
	 * @param line as the server shows it
	 */
	public void line(String line) {
		if (line.contains(" lua] ")) {
			if (this.claiming && TAKES.matcher(line).find()) {
				this.taking = this.taking + 1;
				this.claiming = false;
			}
			return;
		}
		Matcher script = SCRIPT.matcher(line);
		this.claiming = script.find() && "claim".equals(ScriptNames.of(script.group(1), ""));
		if (this.claiming) {
			this.claims = this.claims + 1;
		}
	}

	public long claims() {
		return this.claims;
	}

	/**
	 * How many claims took nothing.
	 * @return the number
	 */
	public long empty() {
		return this.claims - this.taking;
	}

}
