package io.github.delayqueue.listener;

import java.util.List;
import java.util.function.Function;

import io.github.delayqueue.roles.DelegatingTaskStore;
import io.github.delayqueue.store.Extension;
import io.github.delayqueue.store.Settlement;

/**
 * A store that answers what a race lets it answer, and knows nothing else.
 */
final class RacedStore extends DelegatingTaskStore {

	private final Function<List<Settlement>, List<Boolean>> settle;

	private final Function<List<Extension>, List<Boolean>> extend;

	RacedStore(Function<List<Settlement>, List<Boolean>> settle, Function<List<Extension>, List<Boolean>> extend) {
		super(null);
		this.settle = settle;
		this.extend = extend;
	}

	@Override
	public List<Boolean> settle(String queue, List<Settlement> settlements) {
		return this.settle.apply(settlements);
	}

	@Override
	public List<Boolean> extend(String queue, List<Extension> extensions) {
		return this.extend.apply(extensions);
	}

}
