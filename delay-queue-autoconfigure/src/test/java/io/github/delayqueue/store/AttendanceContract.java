package io.github.delayqueue.store;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The traces that instances leave: their age by the store's clock, and their bounds.
 */
interface AttendanceContract extends TaskStoreFixture {

	@Test
	default void traceIsThatWhichAnInstanceHasLeftLastWithItsAge() {
		String one = UUID.randomUUID().toString();
		String other = UUID.randomUUID().toString();
		store().attend(one, "first");
		store().attend(other, "é {\"a\": 1}\nsecond line");
		clock().set(START.plusSeconds(5));
		store().attend(one, "");
		clock().set(START.plusSeconds(7));
		assertThat(of(one)).containsExactly(new Attendance(one, Duration.ofSeconds(2), ""));
		assertThat(of(other))
			.containsExactly(new Attendance(other, Duration.ofSeconds(7), "é {\"a\": 1}\nsecond line"));
	}

	@Test
	default void traceOfAnInstanceThatIsGoneForLongIsForgotten() {
		String gone = UUID.randomUUID().toString();
		store().attend(gone, "gone");
		clock().set(START.plus(Attendance.KEPT));
		assertThat(of(gone)).hasSize(1);
		clock().set(START.plus(Attendance.KEPT).plusMillis(1));
		assertThat(of(gone)).isEmpty();
		store().attend(UUID.randomUUID().toString(), "new");
		clock().set(START);
		assertThat(of(gone)).isEmpty();
	}

	@Test
	default void onlyTheLatestTracesAreKept() {
		String first = UUID.randomUUID().toString();
		store().attend(first, "first");
		for (int i = 1; i <= Attendance.MAX; i++) {
			clock().set(START.plusMillis(i));
			store().attend(UUID.randomUUID().toString(), "another");
		}
		assertThat(store().attendance().orElseThrow()).hasSize(Attendance.MAX);
		assertThat(of(first)).isEmpty();
	}

	private List<Attendance> of(String instance) {
		return store().attendance()
			.orElseThrow()
			.stream()
			.filter((trace) -> trace.instance().equals(instance))
			.toList();
	}

}
