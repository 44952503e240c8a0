package io.github.delayqueue.store;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/**
 * What the workers of a random history remember of their claims: each claim has a token
 * of its own. Workers settle mostly what they hold, now and then what they do not hold
 * any more (zombies), or what they never held.
 */
final class RandomDeliveries {

	private static final String NO_TOKEN = "none";

	private final Random random;

	private final int workers;

	private int claims;

	/** Token by id of what was claimed, and not settled since. */
	private final Map<String, String> held = new LinkedHashMap<>();

	/** All deliveries there ever were. */
	private final List<Delivery> past = new ArrayList<>();

	RandomDeliveries(Random random, int workers) {
		this.random = random;
		this.workers = workers;
	}

	/**
	 * A task and a token it is, or was, claimed with.
	 *
	 * @param id the task
	 * @param token the token
	 */
	record Delivery(String id, String token) {

	}

	String newToken() {
		this.claims++;
		return "w" + (1 + this.random.nextInt(this.workers)) + "-" + this.claims;
	}

	void claimed(String id, String token) {
		this.held.remove(id);
		this.held.put(id, token);
		this.past.add(new Delivery(id, token));
	}

	Delivery toSettle(Supplier<String> anyId) {
		Delivery delivery = choose(anyId);
		this.held.remove(delivery.id(), delivery.token());
		return delivery;
	}

	Delivery toExtend(Supplier<String> anyId) {
		return choose(anyId);
	}

	private Delivery choose(Supplier<String> anyId) {
		int choice = this.random.nextInt(100);
		if (choice < 75 && !this.held.isEmpty()) {
			Map.Entry<String, String> one = this.held.entrySet()
				.stream()
				.skip(this.random.nextInt(Math.min(this.held.size(), 3)))
				.iterator()
				.next();
			return new Delivery(one.getKey(), one.getValue());
		}
		if (choice < 92 && !this.past.isEmpty()) {
			return this.past.get(this.random.nextInt(this.past.size()));
		}
		return new Delivery(anyId.get(),
				this.past.isEmpty() ? NO_TOKEN : this.past.get(this.random.nextInt(this.past.size())).token());
	}

}
