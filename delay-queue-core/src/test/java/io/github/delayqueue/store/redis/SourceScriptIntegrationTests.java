package io.github.delayqueue.store.redis;

import java.time.Duration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.delayqueue.incarnation.RedisIncarnations;
import io.github.delayqueue.partition.RedisSourceNumbers;
import io.github.delayqueue.roles.Epoch;
import io.github.delayqueue.store.ClaimRequest;

import static org.assertj.core.api.Assertions.assertThat;

/** What is noted of a source, by scripts of parts. */
class SourceScriptIntegrationTests extends AbstractSeededQueueIntegrationTests {

	private final RedisIncarnations incarnations = new RedisIncarnations(store.scripts());

	private final RedisSourceNumbers numbers = new RedisSourceNumbers(store.scripts());

	@AfterEach
	void invariantHolds() {
		this.keyspace.assertInvariant();
	}

	@Test
	void queueWithTasksWhoseNumberOfPartitionsIsLostGetsNone() {
		this.keyspace.seed("", "a", "20000").seed(":tasks", "a", "A");
		assertThat(this.numbers.learn(this.queue, "8", true)).isEqualTo("1");
		assertThat(this.keyspace.dump()).containsExactly("base a=20000", "tasks a=A");
		// for the invariant
		this.keyspace.seed(":meta", "scheduled", "1");
	}

	@Test
	void beatIsKeptInMeta() {
		assertThat(this.incarnations.beat(this.queue, Epoch.NONE, "first")).isEqualTo(new Epoch("first", 1));
		assertThat(this.incarnations.beat(this.queue, Epoch.NONE, "second")).isEqualTo(new Epoch("first", 2));
		assertThat(this.keyspace.dump()).containsExactly("meta beat=2 epoch=first");
		assertThat(check().findings()).isEmpty();
		assertThat(repair().findings()).isEmpty();
		assertThat(this.keyspace.dump()).containsExactly("meta beat=2 epoch=first");
	}

	@Test
	void tableIsKeptInMeta() {
		this.keyspace.seed(":meta", "table", "no name");
		store.claim(this.queue, ClaimRequest.of("token", 1, Duration.ofSeconds(5)));
		assertThat(this.incarnations.beat(this.queue, Epoch.NONE.of("first"), "one"))
			.isEqualTo(new Epoch("one", 1, "first"));
		assertThat(this.keyspace.dump()).containsExactly("meta beat=1 epoch=one table=first");
		assertThat(check().findings()).isEmpty();
		this.incarnations.adopt(this.queue, "second");
		assertThat(this.keyspace.dump()).containsExactly("meta table=second");
		this.incarnations.adopt(this.queue, "");
		assertThat(this.keyspace.dump()).isEmpty();
	}

}
