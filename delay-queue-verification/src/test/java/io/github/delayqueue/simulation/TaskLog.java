package io.github.delayqueue.simulation;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.delayqueue.store.ClaimRequest;
import io.github.delayqueue.store.ClaimResult;
import io.github.delayqueue.store.Extension;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.ScheduleReply;
import io.github.delayqueue.store.Settlement;
import io.github.delayqueue.store.SettlementKind;

/**
 * Writes down what calls of the store have to do with each task, in lines that
 * {@link TaskTraces} reads:
 *
 * <pre>
 * consumer-1-1 asks 17 settle orders task-9 t5 COMPLETE
 * consumer-1-1 done 17 1 1772323201000 settle orders task-9 t5 COMPLETE true
 * consumer-1-1 told 17 1
 * </pre>
 *
 * The first number is that of the call. It may be carried out several times, which the
 * second one counts, and gets one answer at most. The time is that of Redis.
 */
final class TaskLog {

	static final String ASKS = "asks";

	static final String DONE = "done";

	static final String TOLD = "told";

	static final String DIED = "died";

	/** There is nothing to be said of the task but its id. */
	private static final String NOTHING = "-";

	/** Of tasks without the payload of the suite. */
	static final String NO_SEND = "none";

	/** Nothing is written down of it. */
	static final Call UNKNOWN = new Call() {

		@Override
		public void done(@Nullable Object answer) {
		}

		@Override
		public void told(@Nullable Object answer) {
		}

	};

	private static final Pattern SEND = Pattern.compile("\"send\":\"([^\"]+)\"");

	private final SimulationLog log;

	/** The same in each run, unlike their names. */
	private final Map<String, String> tokens = new HashMap<>();

	private int calls;

	TaskLog(SimulationLog log) {
		this.log = log;
	}

	/** How a call goes on. */
	interface Call {

		/** The store has carried it out; may be repeated. */
		void done(@Nullable Object answer);

		/** The caller has one of the answers. */
		void told(@Nullable Object answer);

	}

	Call call(String process, String what, String queue, Object request, LongSupplier clock) {
		String call = String.valueOf(++this.calls);
		inOrder(subjects(request)).forEach((subject) -> write(process, ASKS, call, what, queue, subject));
		return new Call() {

			private final List<@Nullable Object> answers = new ArrayList<>();

			@Override
			public void done(@Nullable Object answer) {
				this.answers.add(answer);
				String run = String.valueOf(this.answers.size());
				String time = String.valueOf(clock.getAsLong());
				inOrder(outcomes(request, answer))
					.forEach((outcome) -> write(process, DONE, call, run, time, what, queue, outcome));
			}

			@Override
			public void told(@Nullable Object answer) {
				int run = this.answers.size();
				while (run > 1 && this.answers.get(run - 1) != answer) {
					run--;
				}
				write(process, TOLD, call, String.valueOf(run));
			}

		};
	}

	/**
	 * Of ids, and of tokens where a task is told twice: some come from sets of objects,
	 * whose order is another one in each run.
	 */
	private static Stream<String> inOrder(List<String> lines) {
		return lines.stream()
			.sorted(Comparator.comparing((String line) -> line.substring(0, line.indexOf(' ')))
				.thenComparing(Comparator.naturalOrder()));
	}

	private void write(String process, String... words) {
		this.log.trace(process, String.join(" ", words));
	}

	private List<String> subjects(Object request) {
		if (request instanceof ClaimRequest) {
			return List.of();
		}
		return (request instanceof List<?> entries) ? entries.stream().map(this::subject).toList()
				: List.of(subject(request));
	}

	private String subject(Object entry) {
		if (entry instanceof NewTask task) {
			return task.id() + " " + send(task.envelope());
		}
		if (entry instanceof Settlement settlement) {
			return settlement.taskId() + " " + token(settlement.token()) + " " + SettlementKind.of(settlement);
		}
		if (entry instanceof Extension extension) {
			return extension.taskId() + " " + token(extension.token()) + " " + extension.leaseDuration().toMillis();
		}
		return entry + " " + NOTHING;
	}

	private List<String> outcomes(Object request, @Nullable Object answer) {
		if (request instanceof ClaimRequest claim && answer instanceof ClaimResult result) {
			return result.tasks()
				.stream()
				.map((task) -> String.join(" ", task.id(), token(claim.token()),
						String.valueOf(claim.terms().leaseDuration().toMillis()), send(task.envelope()),
						String.valueOf(task.leaseLost())))
				.toList();
		}
		List<String> subjects = subjects(request);
		List<?> answers = (answer instanceof ScheduleReply reply) ? reply.outcomes()
				: (answer instanceof List<?> list) ? list : List.of(String.valueOf(answer));
		return IntStream.range(0, subjects.size()).mapToObj((i) -> subjects.get(i) + " " + answers.get(i)).toList();
	}

	private String token(String token) {
		return this.tokens.computeIfAbsent(token, (unknown) -> "t" + (this.tokens.size() + 1));
	}

	/** The call of the producer that gave a task its content. */
	private static String send(byte[] envelope) {
		Matcher send = SEND.matcher(new String(envelope, StandardCharsets.UTF_8));
		return send.find() ? send.group(1) : NO_SEND;
	}

}
