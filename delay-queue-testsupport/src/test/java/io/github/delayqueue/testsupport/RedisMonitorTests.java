package io.github.delayqueue.testsupport;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.testsupport.RedisMonitor.Seen;

import static org.assertj.core.api.Assertions.assertThat;

class RedisMonitorTests {

	@Test
	void tellsWhatClientsSendFromWhatScriptsCall() {
		Seen seen = new Seen(0, 0).plus("+OK")
			.plus("+1795275000.123456 [0 127.0.0.1:50000] \"EVALSHA\" \"abc\" \"1\" \"a [0 lua] key\"")
			.plus("+1795275000.123460 [0 lua] \"ZCARD\" \"key\"")
			.plus("+1795275000.123461 [0 lua] \"TIME\"");
		assertThat(seen).isEqualTo(new Seen(1, 2));
	}

}
