package io.github.delayqueue.sharing;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.delayqueue.TaskPriority;
import io.github.delayqueue.races.Race;
import io.github.delayqueue.store.DueTime;
import io.github.delayqueue.store.NewTask;
import io.github.delayqueue.store.Replacement;

import static io.github.delayqueue.races.Racers.race;
import static io.github.delayqueue.races.Racers.require;

/**
 * What {@link SharedCalls} have to do however their threads meet: send each task once, no
 * more calls at a time than may be, and give everybody an answer.
 */
public enum SharedCallsRaces implements Race {

	/** A caller comes while the answer comes for which it would have to wait. */
	CALL_BESIDE_AN_ANSWER {
		@Override
		public void run() {
			Server server = new Server();
			server.send(0);
			server.send(1);
			race(() -> server.answer(0), () -> server.send(2));
			server.requireAnswers(3);
		}
	},

	/** Both answers come while a caller waits. */
	TWO_ANSWERS {
		@Override
		public void run() {
			Server server = new Server();
			server.send(0);
			server.send(1);
			server.send(2);
			race(() -> server.answer(0), () -> server.answer(1));
			server.requireAnswers(3);
		}
	},

	/** A caller that waits to be sent gives up while the answer comes. */
	GIVING_UP_BESIDE_AN_ANSWER {
		@Override
		public void run() {
			Server server = new Server();
			server.send(0);
			server.send(1);
			server.send(2);
			server.send(3);
			race(() -> server.answer(0), () -> server.giveUp(2));
			server.requireAnswersBut(2, 4);
		}
	};

	/** Answers when a race says so. */
	private static final class Server {

		private static final int MOST = 8;

		private static final List<String> ANSWER = List.of("done");

		private static final NewTask[] TASKS = new NewTask[MOST];

		static {
			for (int i = 0; i < MOST; i++) {
				TASKS[i] = new NewTask("task-" + i, new byte[1], new DueTime(true, 0), TaskPriority.NORMAL,
						Replacement.REPLACE, true);
			}
		}

		private final SharedCalls calls = new SharedCalls();

		@SuppressWarnings({ "unchecked", "rawtypes" })
		private final CompletableFuture<List<?>>[] replies = new CompletableFuture[MOST];

		private int called;

		private final CompletableFuture<?>[] callers = new CompletableFuture<?>[MOST];

		private final int[] sent = new int[MOST];

		private boolean tooMany;

		void send(int number) {
			this.callers[number] = this.calls.send("lane", TASKS[number], this::sent);
		}

		private synchronized CompletableFuture<List<?>> sent(List<NewTask> tasks) {
			for (int i = 0; i < MOST; i++) {
				this.sent[i] += tasks.contains(TASKS[i]) ? 1 : 0;
			}
			CompletableFuture<List<?>> reply = new CompletableFuture<>();
			this.replies[this.called++] = reply;
			this.tooMany |= underWay() > SharedCalls.MAX_UNDER_WAY;
			return reply;
		}

		private int underWay() {
			int underWay = 0;
			for (int i = 0; i < this.called; i++) {
				underWay += this.replies[i].isDone() ? 0 : 1;
			}
			return underWay;
		}

		void answer(int call) {
			this.replies[call].complete(ANSWER);
		}

		void giveUp(int number) {
			this.callers[number].cancel(false);
		}

		void requireAnswers(int callers) {
			requireAnswersBut(-1, callers);
		}

		void requireAnswersBut(int gone, int callers) {
			for (int i = 0; i < callers; i++) {
				require(i == gone || this.sent[i] > 0 || underWay() == SharedCalls.MAX_UNDER_WAY,
						"shared-calls: a caller waits though a call could be made");
			}
			for (int i = 0; i < this.called; i++) {
				answer(i);
			}
			require(!this.tooMany, "shared-calls: too many are under way");
			for (int i = 0; i < callers; i++) {
				if (i != gone) {
					require(this.sent[i] > 0, "shared-calls: a task is not sent");
					require(this.callers[i].getNow(null) == ANSWER, "shared-calls: a caller gets another answer");
				}
				require(this.sent[i] <= 1, "shared-calls: a task is sent twice");
			}
		}

	}

}
