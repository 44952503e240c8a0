package io.github.delayqueue.store.redis;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.CancellationException;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandInterruptedException;
import io.lettuce.core.RedisException;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.RedisSystemException;

import static org.assertj.core.api.Assertions.assertThat;

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
			DataAccessException translated = LettuceConnections.translate(error);
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
	void refusalIsAnAnswer() {
		assertThat(RedisErrors.isAnswer(error(new RedisCommandExecutionException("OOM command not allowed")))).isTrue();
	}

	private static RedisSystemException error(Exception cause) {
		return new RedisSystemException("Redis exception", cause);
	}

}
