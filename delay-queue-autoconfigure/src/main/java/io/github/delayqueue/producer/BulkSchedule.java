package io.github.delayqueue.producer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Sends many tasks of any queues in few calls, and brings the results in order.
 */
final class BulkSchedule {

	private final TaskSender sender;

	private final List<EncodedTask> tasks;

	private final ScheduleResult[] results;

	private int done;

	BulkSchedule(TaskSender sender, List<EncodedTask> tasks) {
		this.sender = sender;
		this.tasks = tasks;
		this.results = new ScheduleResult[tasks.size()];
	}

	List<ScheduleResult> run() {
		Map<String, List<Integer>> positionsByLane = new LinkedHashMap<>();
		for (int i = 0; i < this.tasks.size(); i++) {
			positionsByLane.computeIfAbsent(this.sender.lane(this.tasks.get(i)), (lane) -> new ArrayList<>()).add(i);
		}
		positionsByLane.values().forEach(this::sendAll);
		return Arrays.asList(this.results);
	}

	private void sendAll(List<Integer> positions) {
		String queue = this.tasks.get(positions.get(0)).queue();
		int next = 0;
		while (next < positions.size()) {
			Batch batch = new Batch();
			int first = next;
			while (next < positions.size() && batch.add(this.tasks.get(positions.get(next)))) {
				next++;
			}
			send(queue, batch, positions.subList(first, next));
		}
	}

	private void send(String queue, Batch batch, List<Integer> positions) {
		List<ScheduleResult> sent;
		try {
			sent = this.sender.send(queue, batch.tasks());
		}
		catch (NotReplicatedException ex) {
			throw ex.after(Arrays.stream(this.results).filter(Objects::nonNull).toList(), this.tasks.size());
		}
		catch (RuntimeException ex) {
			throw StoreErrors.withProgress(ex, queue, "tried for " + positions.size() + " tasks, after " + this.done
					+ " of " + this.tasks.size() + " had been scheduled");
		}
		for (int i = 0; i < positions.size(); i++) {
			this.results[positions.get(i)] = sent.get(i);
		}
		this.done += sent.size();
	}

}
