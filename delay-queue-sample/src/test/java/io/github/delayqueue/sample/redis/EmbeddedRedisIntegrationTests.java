package io.github.delayqueue.sample.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.github.delayqueue.testsupport.ChildJvm;
import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link EmbeddedRedis} with the executable it comes with.
 */
class EmbeddedRedisIntegrationTests {

	@TempDir
	Path folder;

	@Test
	void keepsDataAcrossRestarts() {
		try (EmbeddedRedis redis = EmbeddedRedis.start(this.folder, 0)) {
			set(redis, "order", "paid");
		}
		try (EmbeddedRedis redis = EmbeddedRedis.start(this.folder, 0)) {
			assertThat(get(redis, "order")).isEqualTo("paid");
		}
	}

	@Test
	void joinsServerThatIsLeftFromApplicationThatWasKilled() throws IOException {
		EmbeddedRedisApplication.start(this.folder).kill();
		LocalRedis left = new LocalRedis(notedPort());
		assertThat(left.ping()).isEqualTo(LocalRedis.Answer.READY);
		try (EmbeddedRedis redis = EmbeddedRedis.start(this.folder, 0)) {
			assertThat(redis.port()).isEqualTo(left.port());
		}
		assertThat(left.ping()).isEqualTo(LocalRedis.Answer.NONE);
	}

	@Test
	void leavesServerToApplicationThatStillUsesIt() {
		ChildJvm other = EmbeddedRedisApplication.start(this.folder);
		EmbeddedRedis redis = EmbeddedRedis.start(this.folder, 0);
		LocalRedis server = new LocalRedis(redis.port());
		redis.close();
		assertThat(server.ping()).isEqualTo(LocalRedis.Answer.READY);
		assertThat(other.endInput(Patience.LIMIT)).isTrue();
		assertThat(server.ping()).isEqualTo(LocalRedis.Answer.NONE);
	}

	@Test
	void doesNotJoinServerOfAnotherFolder() throws IOException {
		Path other = this.folder.resolve("other");
		try (EmbeddedRedis first = EmbeddedRedis.start(other, 0)) {
			Path mine = Files.createDirectories(this.folder.resolve("mine"));
			Files.writeString(mine.resolve("port"), String.valueOf(first.port()));
			try (EmbeddedRedis second = EmbeddedRedis.start(mine, first.port())) {
				assertThat(second.port()).isNotEqualTo(first.port());
			}
			assertThat(new LocalRedis(first.port()).ping()).isEqualTo(LocalRedis.Answer.READY);
		}
	}

	@Test
	void takesAnotherPortIfItsOwnIsInUse() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(LocalRedis.HOST));
				EmbeddedRedis redis = EmbeddedRedis.start(this.folder, socket.getLocalPort())) {
			assertThat(redis.port()).isNotEqualTo(socket.getLocalPort());
		}
	}

	@Test
	void saysWhatServerSaidIfDataCannotBeRead() throws IOException {
		Files.createDirectories(this.folder.resolve("appendonlydir"));
		Files.writeString(this.folder.resolve("appendonlydir/appendonly.aof.manifest"), "not a manifest\n");
		assertThatExceptionOfType(EmbeddedRedisException.class).isThrownBy(() -> EmbeddedRedis.start(this.folder, 0))
			.withMessageContaining("manifest");
	}

	private int notedPort() throws IOException {
		return Integer.parseInt(Files.readString(this.folder.resolve("port")).trim());
	}

	private static void set(EmbeddedRedis redis, String key, String value) {
		try (RedisClient client = client(redis);
				StatefulRedisConnection<String, String> connection = client.connect()) {
			connection.sync().set(key, value);
		}
	}

	private static String get(EmbeddedRedis redis, String key) {
		try (RedisClient client = client(redis);
				StatefulRedisConnection<String, String> connection = client.connect()) {
			return connection.sync().get(key);
		}
	}

	private static RedisClient client(EmbeddedRedis redis) {
		return RedisClient.create(RedisURI.create(redis.host(), redis.port()));
	}

}
