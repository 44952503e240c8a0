package io.github.delayqueue.fleet;

import java.util.Collection;
import java.util.Set;

import io.github.delayqueue.store.TaskStore;
import io.github.delayqueue.store.WakeListener;
import io.github.delayqueue.store.WakeSubscription;

/**
 * Instances that hold leases. An instance is counted as long as it is connected: no
 * longer than its process lives, and also while that is paused. For wiring. Thread-safe.
 * <p>
 * Leases name their holder by a token that begins with its name and either character
 * below. Names consist of letters and digits. Sources are named as
 * {@link TaskStore#sources} names them.
 */
public interface LeaseHolders {

	/** Follows the name of an instance that has seen that it is counted. */
	char COUNTED = '~';

	/** Follows the name of an instance that has not seen that yet. */
	char UNCOUNTED = '?';

	/**
	 * Be counted. Happens in the background, and is repeated until it succeeds.
	 * @param listener called each time that the store has begun to count the instance, on
	 * a thread of the store, must not block
	 * @return ends it
	 */
	WakeSubscription enter(String name, WakeListener listener);

	/**
	 * Which instances are counted now.
	 * @return those of the names that are
	 * @throws io.github.delayqueue.DelayQueueException if that cannot be told
	 */
	Set<String> present(Collection<String> names);

	/**
	 * The places that {@link #present} asks. An instance that was connected to a place
	 * which is no longer among them may be on its way to another one.
	 * @return names of the places, as they were when somebody was last missing; none if
	 * there is one place only
	 */
	Set<String> places();

	/** Be counted anew, by another connection. Happens in the background. */
	void renew();

	/**
	 * Note that an instance which holds leases has seen that it is counted: for the first
	 * time since it took them, or again.
	 */
	void counted(String source, String name);

	/**
	 * Note that nobody is to be missed, until the next claim of that holder: its leases
	 * have to run out.
	 * @param holder a name, and what follows it in tokens
	 */
	void forget(String source, String holder);

	/**
	 * Let the leases of an instance run out, in steps of bounded length, and wake the
	 * consumers. The instance may settle and extend until another claim has its tasks.
	 * @return how many leases there were
	 */
	int takeOver(String source, String name);

}
