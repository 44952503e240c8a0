package io.github.delayqueue.listener;

/**
 * What a container has for each source of its queue: claims, leases and settlements, so
 * that a source that cannot be reached concerns no other.
 */
record SourceConsumer(Leases leases, SourceSettlements settlements, Claims claims) {

	static SourceConsumer of(SourceCalls calls, Claims.Shared shared, Runnable onTick) {
		Leases leases = new Leases(calls, shared.options().handlerTimeout(), onTick);
		SourceSettlements settlements = new SourceSettlements(calls, leases);
		return new SourceConsumer(leases, settlements, new Claims(calls, shared, leases, settlements));
	}

}
