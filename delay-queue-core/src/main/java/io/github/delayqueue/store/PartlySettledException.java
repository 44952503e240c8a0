package io.github.delayqueue.store;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.StoreUnavailableException;

/**
 * Some settlements of a call cannot be applied yet, because somebody else holds their
 * tasks: nothing of these has been changed, and the same settlements may succeed later.
 * The others are settled. Thrown by stores with a journal, while a transaction is open
 * that has cancelled, moved or replaced the tasks.
 */
public class PartlySettledException extends StoreUnavailableException {

	private static final long serialVersionUID = 1L;

	private final ArrayList<@Nullable Boolean> applied;

	public PartlySettledException(String queue, List<@Nullable Boolean> applied) {
		super(queue, null, Collections.frequency(applied, null) + " tasks of queue '" + queue + "' cannot be settled "
				+ "before a transaction has ended that has cancelled, moved or replaced them", null);
		this.applied = new ArrayList<>(applied);
	}

	/** For each settlement whether it was applied, {@code null} if it is not settled. */
	public List<@Nullable Boolean> getApplied() {
		return Collections.unmodifiableList(this.applied);
	}

}
