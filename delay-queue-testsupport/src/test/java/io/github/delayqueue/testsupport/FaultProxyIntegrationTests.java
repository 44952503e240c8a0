package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

@SelfTest
class FaultProxyIntegrationTests {

	private static final Duration DELAY = Duration.ofMillis(150);

	/** One after the other, each of them delayed twice, they would take five minutes. */
	private static final int CALLS = 1000;

	private final RedisServer server = RedisServer.startNew();

	private final FaultProxy proxy = FaultProxy.inFrontOf(this.server);

	private final RedisClient lettuce = RedisClient.create("redis://" + this.proxy.host() + ":" + this.proxy.port());

	@AfterEach
	void close() {
		this.lettuce.shutdown(Duration.ZERO, Duration.ofSeconds(1));
		this.proxy.close();
		this.server.close();
	}

	@Test
	void passesOnWhateverPassesUnchanged() throws IOException {
		try (RespConnection connection = connect()) {
			for (int size : new int[] { 0, 1, 1000, 1 << 16, 20 << 20 }) {
				String value = randomText(size);
				assertThat(connection.call("SET", "key", value)).isEqualTo("OK");
				assertThat(value.equals(connection.call("GET", "key"))).as("a value of %d bytes", size).isTrue();
			}
		}
	}

	@Test
	void cutAllResetsTheConnectionsAndAcceptsNewOnes() throws IOException {
		try (RespConnection first = connect(); RespConnection second = connect()) {
			first.call("PING");
			second.call("PING");
			this.proxy.cutAll();
			assertThatIOException().isThrownBy(() -> first.call("PING"));
			assertThatIOException().isThrownBy(() -> second.call("PING"));
		}
		assertThat(this.proxy.cuts()).isEqualTo(2);
		try (RespConnection connection = connect()) {
			assertThat(connection.call("PING")).isEqualTo("PONG");
		}
	}

	@Test
	void silencedIsWhoIsThereButNotWhoComes() throws Exception {
		try (RespConnection connection = connect()) {
			connection.call("PING");
			this.proxy.silenceAll();
			CompletableFuture<Object> reply = CompletableFuture.supplyAsync(() -> {
				try {
					return connection.call("INCR", "counter");
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			});
			try (RespConnection other = connect()) {
				assertThat(other.call("PING")).isEqualTo("PONG");
				assertThat(other.call("EXISTS", "counter")).isEqualTo(0L);
			}
			assertThat(reply).isNotDone();
			this.proxy.cutAll();
			assertThatExceptionOfType(ExecutionException.class)
				.isThrownBy(() -> reply.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS));
		}
	}

	@Test
	void refusedIsWhoComesWhileRefusingButNotWhoIsThere() throws IOException {
		try (RespConnection connection = connect()) {
			connection.call("PING");
			this.proxy.refuse(true);
			assertThatExceptionOfType(ConnectException.class).isThrownBy(this::connect);
			assertThat(connection.call("PING")).isEqualTo("PONG");
		}
		this.proxy.refuse(false);
		try (RespConnection connection = connect()) {
			assertThat(connection.call("PING")).isEqualTo("PONG");
		}
	}

	@Test
	void cutBeforeReplyLetsTheRequestBeCarriedOut() throws IOException {
		try (RespConnection connection = connect()) {
			connection.call("INCR", "counter");
			this.proxy.cutBeforeReply(2);
			assertThatIOException().isThrownBy(() -> connection.call("INCR", "counter"));
		}
		assertThat(this.server.cli("GET", "counter")).isEqualTo("2");
		try (RespConnection connection = connect()) {
			assertThat(connection.call("PING")).isEqualTo("PONG");
			assertThatIOException().isThrownBy(() -> connection.call("INCR", "counter"));
		}
		try (RespConnection connection = connect()) {
			assertThat(connection.call("INCR", "counter")).isEqualTo(4L);
		}
		assertThat(this.proxy.cutReplies()).isEqualTo(2);
		assertThat(this.proxy.cuts()).isEqualTo(2);
	}

	@Test
	void cutBeforeReplyGoesOnUntilHealed() throws IOException {
		this.proxy.cutBeforeReply();
		for (int i = 0; i < 5; i++) {
			try (RespConnection connection = connect()) {
				assertThatIOException().isThrownBy(() -> connection.call("INCR", "counter"));
			}
		}
		this.proxy.heal();
		try (RespConnection connection = connect()) {
			assertThat(connection.call("INCR", "counter")).isEqualTo(6L);
		}
		assertThat(this.proxy.cutReplies()).isEqualTo(5);
	}

	@Test
	void cutsAreAnOrderlyEndAndAResetByTurns() {
		StatefulRedisConnection<String, String> connection = this.lettuce.connect();
		this.proxy.cutBeforeReply(2);
		// the driver sends again after an end, and does not after a reset
		assertThatExceptionOfType(RedisException.class).isThrownBy(() -> connection.sync().incr("counter"))
			.withMessageContaining("reset");
		assertThat(this.server.cli("GET", "counter")).isEqualTo("2");
		assertThat(this.proxy.cutReplies()).isEqualTo(2);
	}

	@Test
	void delayKeepsRequestsAndRepliesInTheirOrder() throws IOException {
		StatefulRedisConnection<String, String> connection = this.lettuce.connect();
		this.proxy.delay(DELAY);
		long start = System.nanoTime();
		List<Long> replies = new ArrayList<>();
		List<CompletableFuture<?>> calls = new ArrayList<>();
		for (int i = 0; i < CALLS; i++) {
			calls.add(connection.async().incr("counter").thenAccept(replies::add).toCompletableFuture());
		}
		CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new))
			.orTimeout(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)
			.join();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(DELAY.multipliedBy(2));
		assertThat(replies).isEqualTo(LongStream.rangeClosed(1, CALLS).boxed().toList());
	}

	@Test
	void droppedMessagesAreLostButNothingElse() throws IOException {
		this.proxy.dropWakeMessages(true);
		List<String> received = new CopyOnWriteArrayList<>();
		StatefulRedisPubSubConnection<String, String> subscriber = subscribe(received);
		assertThat(this.server.cli("PUBLISH", "channel", "lost")).isEqualTo(1L);
		assertThat(subscriber.sync().ping()).isEqualTo("PONG");
		subscriber.sync().subscribe("another");
		assertThat(this.lettuce.connect().sync().set("key", "value")).isEqualTo("OK");
		this.proxy.heal();
		assertThat(this.server.cli("PUBLISH", "another", "heard")).isEqualTo(1L);
		Awaitility.await().until(() -> !received.isEmpty());
		assertThat(received).containsExactly("heard");
		assertThat(this.proxy.cuts()).isZero();
		assertThat(this.proxy.accepted()).isEqualTo(2);
	}

	@Test
	void cutBeforeReplyLeavesSubscriptionsAlone() {
		this.proxy.cutBeforeReply();
		List<String> received = new CopyOnWriteArrayList<>();
		subscribe(received);
		this.server.cli("PUBLISH", "channel", "heard");
		Awaitility.await().until(() -> received.contains("heard"));
		assertThat(this.proxy.cuts()).isZero();
	}

	private StatefulRedisPubSubConnection<String, String> subscribe(List<String> received) {
		StatefulRedisPubSubConnection<String, String> connection = this.lettuce.connectPubSub();
		connection.addListener(new RedisPubSubAdapter<>() {

			@Override
			public void message(String channel, String message) {
				received.add(message);
			}

		});
		connection.sync().subscribe("channel");
		return connection;
	}

	private RespConnection connect() throws IOException {
		return RespConnection.open(this.proxy.host(), this.proxy.port(), Patience.LIMIT);
	}

	private static String randomText(int length) {
		Random random = new Random(length);
		StringBuilder text = new StringBuilder(length);
		for (int i = 0; i < length; i++) {
			text.append((char) random.nextInt(0, 128));
		}
		return text.toString();
	}

}
