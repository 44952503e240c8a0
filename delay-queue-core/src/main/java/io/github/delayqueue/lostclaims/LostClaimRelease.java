package io.github.delayqueue.lostclaims;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.listener.ConsumerPart;
import io.github.delayqueue.listener.ContainerThreads;
import io.github.delayqueue.store.ClaimResult;

/** Releases what the consumers of an application have lost. For wiring. Thread-safe. */
public final class LostClaimRelease implements ConsumerPart {

	private final Map<String, LostClaims> lost = new ConcurrentHashMap<>();

	private @Nullable Scope scope;

	@Override
	public void join(Scope scope) {
		this.scope = scope;
	}

	@Override
	public void failed(Consumer consumer, String source, String token) {
		Scope scope = Objects.requireNonNull(this.scope);
		this.lost
			.computeIfAbsent(source,
					(name) -> new LostClaims(scope.store(), name, scope.threads()::nanoTime,
							(look) -> watch(scope.threads().watch(), look)))
			.add(token, consumer.options().leaseDuration());
	}

	@Override
	public void claimed(Consumer consumer, String source, @Nullable ClaimResult result) {
		LostClaims lost = this.lost.get(source);
		if (lost != null) {
			lost.release();
		}
	}

	/** Nobody waits for it. Not done if the application ends, or no thread is left. */
	private static boolean watch(ContainerThreads.Calls threads, Runnable look) {
		try {
			threads.schedule(() -> {
				if (!threads.handOver(look, true)) {
					look.run();
				}
			}, Duration.ZERO);
			return true;
		}
		catch (RejectedExecutionException | OutOfMemoryError ex) {
			return false;
		}
	}

}
