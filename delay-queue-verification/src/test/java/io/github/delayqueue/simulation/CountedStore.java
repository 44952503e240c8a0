package io.github.delayqueue.simulation;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

import io.github.delayqueue.fleet.LeaseHolders;
import io.github.delayqueue.roles.DelegatingTaskStore;
import io.github.delayqueue.store.WakeListener;
import io.github.delayqueue.store.WakeSubscription;

/**
 * The store of an instance that is counted as long as its process lives, so that others
 * take over what it holds when it has died. Redis has the steps for that, the store in
 * memory has not.
 */
final class CountedStore extends DelegatingTaskStore implements LeaseHolders {

	private final SimulatedStore store;

	private final Network network;

	private final CheckedScripts scripts;

	CountedStore(SimulatedStore store, Network network, CheckedScripts scripts) {
		super(store);
		this.store = store;
		this.network = network;
		this.scripts = scripts;
	}

	@Override
	public WakeSubscription enter(String name, WakeListener listener) {
		return this.store.enter(name, listener);
	}

	@Override
	public Set<String> present(Collection<String> names) {
		Set<String> present = new HashSet<>(names);
		// names are others in each run, and are not for the log
		this.store.call("present", "", () -> present.retainAll(this.network.entered()) ? "some" : "all");
		return present;
	}

	@Override
	public Set<String> places() {
		return Set.of();
	}

	@Override
	public void renew() {
		// who lives is counted
	}

	@Override
	public void counted(String source, String name) {
		this.store.call("counted", source, () -> this.scripts.holders((holders) -> {
			holders.counted(source, name);
			return "";
		}));
	}

	@Override
	public void forget(String source, String holder) {
		this.store.call("uncounted", source, () -> this.scripts.holders((holders) -> {
			holders.forget(source, holder);
			return "";
		}));
	}

	@Override
	public int takeOver(String source, String name) {
		return this.store.call("takeover", source, () -> this.scripts.takeOver(source, name));
	}

}
