package io.github.delayqueue.test;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

import io.github.delayqueue.fleet.LeaseHolders;
import io.github.delayqueue.roles.DelegatingTaskStore;
import io.github.delayqueue.store.ClaimNotes;
import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.ClaimedRecord;
import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.WakeListener;
import io.github.delayqueue.store.WakeSubscription;

/** Lets containers of a test claim as many tasks as they are told to, in order. */
final class DrivenTaskStore extends DelegatingTaskStore {

	private int limit;

	private @Nullable ClaimResult result;

	private @Nullable Throwable error;

	DrivenTaskStore(TaskStore store) {
		super(store);
	}

	/** Forget what the last claim brought: the next one brings so many tasks at most. */
	void begin(int limit) {
		this.limit = limit;
		this.result = null;
		this.error = null;
	}

	@Override
	public ClaimResult claim(String queue, ClaimRequest request) {
		ClaimResult before = this.result;
		if (before != null) {
			// made beside the one that the test has told to be made
			return new ClaimResult(List.of(), before.now(), null, before.paused(), ClaimNotes.NONE);
		}
		int most = Math.min(this.limit, request.limit());
		try {
			this.result = super.claim(queue,
					new ClaimRequest(request.token(), most, most, false, request.takesLastChance(), request.terms()));
			return this.result;
		}
		catch (RuntimeException | Error ex) {
			this.error = ex;
			throw ex;
		}
	}

	/** Who holds leases is not known: whoever looked would need time that passes. */
	@Override
	public <R> @Nullable R role(Class<R> type) {
		return (type == LeaseHolders.class) ? null : super.role(type);
	}

	/** What is due is claimed when the test says so. */
	@Override
	public WakeSubscription subscribe(String queue, WakeListener listener) {
		return super.subscribe(queue, new WakeListener() {

			@Override
			public void wake(Duration in) {
			}

			@Override
			public void withdrawn() {
				listener.withdrawn();
			}

		});
	}

	/** Throws why tasks could not be claimed, if so. */
	List<String> taskIds() {
		if (this.error != null) {
			ReflectionUtils.rethrowRuntimeException(this.error);
		}
		return (this.result != null) ? this.result.tasks().stream().map(ClaimedRecord::id).toList() : List.of();
	}

	/** After what time another claim is worth making, {@code null} if nothing waits. */
	@Nullable Duration wakeIn() {
		return (this.result != null) ? this.result.wakeIn() : null;
	}

}
