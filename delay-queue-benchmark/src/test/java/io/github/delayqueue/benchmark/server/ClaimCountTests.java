package io.github.delayqueue.benchmark.server;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ClaimCountTests {

	private final ClaimCount count = new ClaimCount();

	@Test
	void aClaimThatAddsLeasesIsNotEmpty() {
		script("claim");
		inner("\"ZREM\" \"delay:queue:{q}\" \"a\"");
		inner("\"ZADD\" \"delay:queue:{q}:leases\" \"1\" \"a\"");
		script("claim");
		inner("\"ZRANGE\" \"delay:queue:{q}:leases\" \"-inf\" \"1\"");
		assertThat(this.count.claims()).isEqualTo(2);
		assertThat(this.count.empty()).isEqualTo(1);
	}

	@Test
	void leasesThatAreExtendedAreNoClaim() {
		script("claim");
		script("extend");
		inner("\"ZADD\" \"delay:queue:{q}:leases\" \"1\" \"a\"");
		assertThat(this.count.claims()).isEqualTo(1);
		assertThat(this.count.empty()).isEqualTo(1);
	}

	@Test
	void leasesThatAreAddedInTwoStepsCountOnce() {
		script("claim");
		inner("\"ZADD\" \"delay:queue:{q}:leases\" \"1\" \"a\"");
		inner("\"ZADD\" \"delay:queue:{q}:leases\" \"1\" \"b\"");
		script("claim");
		assertThat(this.count.empty()).isEqualTo(1);
	}

	private void script(String name) {
		this.count
			.line("+1795275000.123456 [0 127.0.0.1:50000] \"EVALSHA\" \"" + ScriptNames.digest(name) + "\" \"10\"");
	}

	private void inner(String command) {
		this.count.line("+1795275000.123456 [0 lua] " + command);
	}

}
