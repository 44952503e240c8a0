package io.github.delayqueue.console;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import io.github.delayqueue.testsupport.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link ReactiveDelayQueueEndpointWebExtension}.
 */
class ReactiveDelayQueueEndpointWebExtensionTests {

	private final QueueManagement management = mock();

	private final ReactiveDelayQueueEndpointWebExtension extension = new ReactiveDelayQueueEndpointWebExtension(
			new DelayQueueEndpoint(this.management));

	@Test
	void waitsOnThreadsOfItsOwn() {
		given(this.management.view(any())).willAnswer((invocation) -> {
			assertThat(Thread.currentThread().getName()).startsWith("delay-queue-endpoint");
			return new InstancesDescriptor(List.of());
		});
		assertThat(status(this.extension.queues(Map.of()))).isEqualTo(200);
		this.extension.close();
	}

	@Test
	void refusesWhatItHasNoRoomFor() {
		CountDownLatch gate = new CountDownLatch(1);
		given(this.management.view(any())).willAnswer((invocation) -> {
			gate.await();
			return new InstancesDescriptor(List.of());
		});
		List<Mono<WebEndpointResponse<?>>> answers = IntStream.range(0, 200)
			.mapToObj((i) -> this.extension.queues(null).cache())
			.toList();
		answers.forEach(Mono::subscribe);
		List<Integer> refused = Objects.requireNonNull(
				Flux.merge(answers).map(WebEndpointResponse::getStatus).take(100).collectList().block(Patience.LIMIT));
		assertThat(refused).containsOnly(429);
		gate.countDown();
		assertThat(Flux.merge(answers).map(WebEndpointResponse::getStatus).collectList().block(Patience.LIMIT))
			.hasSize(200)
			.contains(200);
		this.extension.close();
	}

	private static int status(Mono<WebEndpointResponse<?>> answer) {
		return Objects.requireNonNull(answer.block(Patience.LIMIT)).getStatus();
	}

}
