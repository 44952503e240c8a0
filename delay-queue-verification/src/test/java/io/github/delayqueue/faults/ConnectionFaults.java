package io.github.delayqueue.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

import io.github.delayqueue.faults.Fault.Inflicted;
import io.github.delayqueue.testsupport.FaultProxy;

/**
 * Faults between the applications and the server: each slot has a proxy of its own, so
 * that they can hit one of them or all.
 */
final class ConnectionFaults {

	private final List<String> slots;

	private final Map<String, FaultProxy> proxies;

	private final Runnable progress;

	private ConnectionFaults(Map<String, FaultProxy> proxies, Runnable progress) {
		this.slots = new ArrayList<>(proxies.keySet());
		this.proxies = proxies;
		this.progress = progress;
	}

	/**
	 * Faults of connections.
	 * @param proxies by slot, in an order that is always the same
	 * @param progress waits until consumers have worked, so that a fault lasts until then
	 * @return the faults
	 */
	static Map<FaultKind, Fault> of(Map<String, FaultProxy> proxies, Runnable progress) {
		ConnectionFaults of = new ConnectionFaults(proxies, progress);
		Map<FaultKind, Fault> faults = new EnumMap<>(FaultKind.class);
		faults.put(FaultKind.CONNECTIONS_CUT, (random) -> of.inflict(random, Duration.ZERO, FaultProxy::cutAll));
		faults.put(FaultKind.REPLIES_CUT,
				(random) -> of.inflict(random, Fault.between(random, 200, 1500), FaultProxy::cutBeforeReply));
		faults.put(FaultKind.CUT_OFF, of::cutOff);
		faults.put(FaultKind.CONNECTIONS_DELAYED, of::delay);
		faults.put(FaultKind.MESSAGES_LOST, of::loseMessages);
		return faults;
	}

	/** Hits everybody half of the time, else one of them. */
	private Inflicted inflict(Random random, Duration hold, Consumer<FaultProxy> fault) {
		return random.nextBoolean() ? inflict(Inflicted.EVERYBODY, this.slots, hold, fault)
				: inflictOne(random, hold, fault);
	}

	private Inflicted inflictOne(Random random, Duration hold, Consumer<FaultProxy> fault) {
		String slot = this.slots.get(random.nextInt(this.slots.size()));
		return inflict(slot, List.of(slot), hold, fault);
	}

	private Inflicted inflict(String target, List<String> slots, Duration hold, Consumer<FaultProxy> fault) {
		List<FaultProxy> hit = slots.stream().map(this.proxies::get).toList();
		hit.forEach(fault);
		return new Inflicted(target, hold, () -> hit.forEach(FaultProxy::heal));
	}

	private Inflicted cutOff(Random random) {
		return inflictOne(random, SuiteSettings.LEASE_DURATION.plus(Fault.between(random, 200, 1500)), (proxy) -> {
			proxy.refuse(true);
			proxy.cutAll();
		});
	}

	/** From what hardly matters to what takes longer than a command may. */
	private Inflicted delay(Random random) {
		Duration delay = Fault.between(random, 50, 1300);
		return inflict(random, Fault.between(random, 2000, 4500), (proxy) -> proxy.delay(delay));
	}

	private Inflicted loseMessages(Random random) {
		Inflicted lost = inflict(Inflicted.EVERYBODY, this.slots, Fault.between(random, 2500, 5000),
				(proxy) -> proxy.dropWakeMessages(true));
		return new Inflicted(lost.target(), lost.hold(), () -> {
			this.progress.run();
			lost.undo().run();
		});
	}

}
