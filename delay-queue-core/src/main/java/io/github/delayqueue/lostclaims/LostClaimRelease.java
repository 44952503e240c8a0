package io.github.delayqueue.lostclaims;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.listener.ConsumerPart;
import io.github.delayqueue.listener.ContainerThreads;
import io.github.delayqueue.store.ClaimResult;

/** Releases what the consumers of an application have lost. For wiring. Thread-safe. */
public final class LostClaimRelease implements ConsumerPart {

	private final Map<String, LostClaims> lost = new ConcurrentHashMap<>();

	private Scope scope;

	@Override
	public void join(Scope scope) {
		this.scope = scope;
	}

	@Override
	public void failed(Consumer consumer, String source, String token) {
		this.lost
			.computeIfAbsent(source, (name) -> new LostClaims(this.scope.store(), name, this.scope.threads()::nanoTime))
			.add(token, consumer.options().leaseDuration());
	}

	@Override
	public void claimed(Consumer consumer, String source, @Nullable ClaimResult result) {
		LostClaims lost = this.lost.get(source);
		if (lost != null) {
			lost.release(this::watch);
		}
	}

	/** Nobody waits for it. */
	private void watch(Runnable look) {
		ContainerThreads.Calls threads = this.scope.threads().watch();
		threads.schedule(() -> {
			if (!threads.handOver(look, true)) {
				look.run();
			}
		}, Duration.ZERO);
	}

}
