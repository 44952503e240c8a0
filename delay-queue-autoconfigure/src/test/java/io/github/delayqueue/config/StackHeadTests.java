package io.github.delayqueue.config;

import java.util.Arrays;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StackHead}.
 */
class StackHeadTests {

	@Test
	void framesOfTheApplicationAreShownAndOthersCounted() {
		IllegalStateException error = new IllegalStateException("secret", with(new RuntimeException("secret"),
				frame("java.net.Socket"), frame("io.netty.Channel"), frame("com.shop.Client"), frame("com.shop.Hook")));
		with(error, frame("com.shop.Listener"), frame("org.springframework.aop.Proxy"),
				frame("io.github.delayqueue.listener.HandlerCall"), frame("java.lang.Thread"));
		assertThat(StackHead.of(error)).isEqualTo("""
				java.lang.IllegalStateException
				  at com.shop.Listener.call(File.java:7)
				  … 3 more
				Caused by: java.lang.RuntimeException
				  at java.net.Socket.call(File.java:7)
				  at com.shop.Client.call(File.java:7)
				  at com.shop.Hook.call(File.java:7)
				  … 1 more""");
	}

	@Test
	void longTracesAreCut() {
		StackTraceElement[] frames = new StackTraceElement[100];
		Arrays.fill(frames, frame("com.shop." + "Long".repeat(100)));
		Exception error = new Exception();
		error.setStackTrace(frames);
		assertThat(StackHead.of(error)).hasSize(StackHead.MAX_LENGTH).endsWith("…");
		error.setStackTrace(new StackTraceElement[0]);
		assertThat(StackHead.of(error)).isEqualTo("java.lang.Exception");
	}

	private static Exception with(Exception error, StackTraceElement... frames) {
		error.setStackTrace(frames);
		return error;
	}

	private static StackTraceElement frame(String type) {
		return new StackTraceElement(type, "call", "File.java", 7);
	}

}
