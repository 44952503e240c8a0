package io.github.delayqueue.store.redis;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandInterruptedException;
import io.lettuce.core.RedisException;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisClusterOperationException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisMovedDataException;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.RedisSystemException;
import org.springframework.data.redis.connection.jedis.JedisExceptionConverter;
import org.springframework.data.redis.connection.lettuce.LettuceExceptionConverter;

import io.github.delayqueue.StoreUnavailableException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * What is an answer of the server: everything else leaves open whether a step was done.
 */
class RedisErrorsTests {

	@Test
	void brokenConnectionIsNoAnswerWhateverTheTransportSaysOfIt() {
		assertThat(RedisErrors.isAnswer(error(new IOException("Connection reset by peer")))).isFalse();
		assertThat(RedisErrors
			.isAnswer(error(new IOException("recvAddress(..) failed with error(-104): Connection reset by peer"))))
			.isFalse();
		assertThat(RedisErrors.isAnswer(error(new IOException("Broken pipe")))).isFalse();
		assertThat(RedisErrors.isAnswer(error(new ClosedChannelException()))).isFalse();
		assertThat(RedisErrors.isAnswer(error(new RedisException("Connection closed")))).isFalse();
		assertThat(RedisErrors.isAnswer(new RedisConnectionFailureException("gone"))).isFalse();
		assertThat(RedisErrors.isAnswer(new QueryTimeoutException("late"))).isFalse();
	}

	@Test
	void whatNeverLeftTheDriverWasNotCarriedOutAndWhatWasUnderWayMayHaveBeen() {
		assertThat(RedisErrors.isNotCarriedOut(error(new RedisException("Connection is closed")))).isTrue();
		assertThat(RedisErrors.isNotCarriedOut(error(new RedisException("Connection closed")))).isFalse();
		assertThat(RedisErrors.isNotCarriedOut(error(new RedisException("Connection disconnected")))).isFalse();
	}

	@Test
	void whatTheDriverThrowsIsUnderstoodWhateverItsClass() {
		IOException reset = new IOException("Connection reset by peer");
		for (Exception error : List.of(reset, new RedisException(reset), new IllegalStateException(reset),
				new CancellationException())) {
			DataAccessException translated = catchThrowableOfType(DataAccessException.class,
					() -> ScriptRunner.await(CompletableFuture.failedFuture(error), Duration.ofSeconds(1),
							new LettuceExceptionConverter()::convert));
			assertThat(translated).hasRootCause((error.getCause() != null) ? error.getCause() : error);
			assertThat(RedisErrors.isAnswer(translated)).isFalse();
			assertThat(RedisErrors.isNotCarriedOut(translated)).isFalse();
		}
	}

	@Test
	void interruptedWaitIsNoAnswer() {
		assertThat(RedisErrors.isAnswer(error(new RedisCommandInterruptedException(new InterruptedException()))))
			.isFalse();
	}

	@Test
	void whatADriverGivesUpIsNoAnswer() {
		for (String message : List.of("Cluster retry deadline exceeded.", "Cluster retry to x deadline exceeded.",
				"No more cluster attempts left.", "Broken pipe", "Something new")) {
			DataAccessException error = jedis(new JedisClusterOperationException(message));
			assertThat(RedisErrors.isAnswer(error)).as(message).isFalse();
			assertThat(RedisErrors.isNotCarriedOut(error)).as(message).isFalse();
			assertThat(RedisErrors.translate("schedule in", "q", error, Duration.ofSeconds(2)))
				.isInstanceOf(StoreUnavailableException.class)
				.hasMessageContaining("may or may not have been done");
		}
	}

	@Test
	void brokenAttemptOnAClusterMayHaveBeenCarriedOut() {
		DataAccessException error = givenUp(new JedisConnectionException("Cluster retry failed to x",
				new SocketTimeoutException("Read timed out")));
		assertThat(RedisErrors.isAnswer(error)).isFalse();
		assertThat(RedisErrors.isNotCarriedOut(error)).isFalse();
		assertThat(RedisErrors.translate("cancel a task of", "q", error, Duration.ofSeconds(2)))
			.hasMessageContaining("did not answer within 2s")
			.hasMessageContaining("may or may not have been done");
	}

	@Test
	void whatFailedBeforeAnythingWasSentWasNotCarriedOut() {
		assertThat(RedisErrors.isNotCarriedOut(jedis(new JedisException("Could not get a resource from the pool"))))
			.isTrue();
		assertThat(RedisErrors.isNotCarriedOut(givenUp(new JedisConnectionException("Cluster retry failed to ",
				new JedisConnectionException("Failed to connect to localhost:1")))))
			.isTrue();
	}

	@Test
	void redirectionSaysThatNothingWasCarriedOut() {
		HostAndPort other = new HostAndPort("localhost", 7001);
		for (JedisException redirection : List.of(new JedisMovedDataException("MOVED 1 localhost:7001", other, 1),
				new JedisAskDataException("ASK 1 localhost:7001", other, 1))) {
			DataAccessException error = givenUp(redirection);
			assertThat(RedisErrors.isRedirection(error)).isTrue();
			assertThat(RedisErrors.isNotCarriedOut(error)).isTrue();
			assertThat(RedisErrors.isAnswer(error)).isFalse();
		}
		assertThat(RedisErrors.isRedirection(error(new RedisCommandExecutionException("ERR no TASK 1")))).isFalse();
	}

	@Test
	void errorOfTheServerIsAnAnswerWhateverTheDriver() {
		assertThat(RedisErrors.isAnswer(jedis(new JedisDataException("WRONGTYPE Operation against a key")))).isTrue();
		assertThat(RedisErrors.isAnswer(jedis(new JedisDataException("ERR unknown command")))).isTrue();
		assertThat(RedisErrors.isAnswer(error(new IllegalStateException("NOPERM this user has no permissions"))))
			.isTrue();
	}

	@Test
	void scriptCheckOfAServiceIsNamedTogetherWithItsSwitch() {
		String reply = "ERR bad lua script for redis cluster, all the keys that the script uses should be passed "
				+ "using the KEYS array";
		for (DataAccessException error : List.of(jedis(new JedisDataException(reply)),
				error(new RedisCommandExecutionException(reply)))) {
			assertThat(RedisErrors.translate("claim from", "q", error, Duration.ofSeconds(2)))
				.isNotInstanceOf(StoreUnavailableException.class)
				.hasMessageContaining("checks scripts")
				.hasMessageContaining("script_check_enable")
				.hasMessageContaining(reply);
		}
	}

	private static DataAccessException givenUp(JedisException why) {
		JedisClusterOperationException error = new JedisClusterOperationException("No more cluster attempts left.");
		error.addSuppressed(why);
		return jedis(error);
	}

	private static DataAccessException jedis(Exception error) {
		return Objects.requireNonNull(new JedisExceptionConverter().convert(error));
	}

	private static RedisSystemException error(Exception cause) {
		return new RedisSystemException("Redis exception", cause);
	}

}
