package io.github.delayqueue.benchmark.peers;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ChunksTests {

	@Test
	void chunksAreAsLargeAsAllowedAndInOrder() {
		assertThat(Chunks.of(List.of(1, 2, 3, 4, 5), 2)).containsExactly(List.of(1, 2), List.of(3, 4), List.of(5));
	}

	@Test
	void anEmptyListHasNoChunks() {
		assertThat(Chunks.of(List.of(), 2)).isEmpty();
	}

}
