package io.github.delayqueue.store;

import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import io.github.delayqueue.roles.Epoch;
import io.github.delayqueue.roles.Incarnations;
import io.github.delayqueue.roles.QueueControl;

import static io.github.delayqueue.store.TaskStoreFixture.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The beat, and the table that a queue belongs to. */
interface IncarnationContract extends TaskStoreFixture {

	private Incarnations incarnations() {
		return store().requireRole(Incarnations.class);
	}

	@Test
	default void beatsOfAnIncarnationAreCounted() {
		String partition = store().sources(queue()).get(0);
		assertThat(incarnations().beat(partition, Epoch.NONE, "one-1_A")).isEqualTo(new Epoch("one-1_A", 1));
		assertThat(incarnations().beat(partition, new Epoch("one-1_A", 1), "other")).isEqualTo(new Epoch("one-1_A", 2));
		scheduleDue("a");
		QueueControl.of(store()).clear(queue());
		assertThat(incarnations().beat(partition, Epoch.NONE, "other")).isEqualTo(new Epoch("one-1_A", 3));
		assertThat(stats().waiting()).isZero();
	}

	@Test
	default void queueBelongsToTheTableOfItsFirstBeat() {
		String partition = store().sources(queue()).get(0);
		assertThat(claimFor("first")).as("not marked yet").isEmpty();
		scheduleDue("a");
		assertThat(incarnations().beat(partition, Epoch.NONE.of("first"), "one"))
			.isEqualTo(new Epoch("one", 1, "first"));
		assertThat(incarnations().beat(partition, Epoch.NONE.of("second"), "two"))
			.isEqualTo(new Epoch("one", 1, "first"));
		assertThat(incarnations().beat(partition, Epoch.NONE, "two")).as("only looks")
			.isEqualTo(new Epoch("one", 1, "first"));
		assertThat(incarnations().beat(partition, new Epoch("one", 1, "first"), "two"))
			.isEqualTo(new Epoch("one", 2, "first"));
		assertThatExceptionOfType(OtherTableException.class).isThrownBy(() -> claimFor("second"))
			.withMessageContainingAll(queue(), "first", "adopt");
		assertThatExceptionOfType(OtherTableException.class).isThrownBy(() -> claimFor(""))
			.withMessageContainingAll(queue(), "first", "journal.enabled", "adopt");
		assertThat(claimFor("first")).containsExactly("a");
	}

	@Test
	default void tableThatAdoptsAQueueTakesThePlaceOfAnyOther() {
		String partition = store().sources(queue()).get(0);
		scheduleDue("a");
		incarnations().beat(partition, Epoch.NONE.of("first"), "one");
		incarnations().adopt(queue(), "second");
		assertThatExceptionOfType(OtherTableException.class).isThrownBy(() -> claimFor("first"));
		assertThat(claimFor("second")).containsExactly("a");
		scheduleDue("b");
		assertThat(incarnations().beat(partition, new Epoch("one", 1, "second"), "two"))
			.as("has to hand over everything")
			.isEqualTo(new Epoch("two", 1, "second"));
		incarnations().adopt(queue(), "");
		assertThat(claimFor("")).containsExactly("b");
		assertThat(incarnations().beat(partition, Epoch.NONE, "three")).isEqualTo(new Epoch("three", 1, ""));
	}

	private List<String> claimFor(String table) {
		String partition = store().sources(queue()).get(0);
		return ids(store().claim(partition, ClaimRequest.of("token-" + UUID.randomUUID(), 1,
				ClaimTerms.of(LEASE_DURATION, List.of(), null).in(table))));
	}

	@Test
	default void copyThatIsOlderBecomesAnotherIncarnation() {
		String partition = store().sources(queue()).get(0);
		assertThat(incarnations().beat(partition, Epoch.NONE, "one")).isEqualTo(new Epoch("one", 1));
		assertThat(incarnations().beat(partition, new Epoch("other", 9), "two")).isEqualTo(new Epoch("one", 2));
		assertThat(incarnations().beat(partition, new Epoch("one", 3), "two")).isEqualTo(new Epoch("two", 1));
		assertThat(incarnations().beat(partition, new Epoch("one", 3), "three")).isEqualTo(new Epoch("two", 2));
	}

}
