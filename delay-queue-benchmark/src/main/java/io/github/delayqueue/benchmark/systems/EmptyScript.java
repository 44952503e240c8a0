package io.github.delayqueue.benchmark.systems;

import java.util.EnumSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;

import io.lettuce.core.ScriptOutputType;

import io.github.delayqueue.benchmark.BenchTask;
import io.github.delayqueue.benchmark.Call;
import io.github.delayqueue.benchmark.Payloads;
import io.github.delayqueue.benchmark.Producer;
import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.SystemType;
import io.github.delayqueue.benchmark.SystemType.Trait;
import io.github.delayqueue.benchmark.TaskSink;

/**
 * The bound of whatever schedules by a script: one that does nothing with what it is
 * given.
 */
public final class EmptyScript extends RedisSystem {

	/** The empty script. */
	public static final SystemType TYPE = new SystemType("evalsha", "empty EVALSHA",
			"A script that is given a task and does nothing: the bound of all that enqueues by scripts.",
			EnumSet.of(Call.ONE, Call.ASYNC), Set.of(Trait.REDIS, Trait.NO_CONSUMER), EmptyScript::new);

	private final String script = load("return 1");

	private final Producer producer = new EvalProducer();

	private EmptyScript(Servers servers) {
		super(servers);
	}

	@Override
	public Map<String, String> settings() {
		return Map.of("script", "return 1");
	}

	@Override
	public Producer producer() {
		return this.producer;
	}

	@Override
	public Consumption consume(TaskSink sink) {
		throw new UnsupportedOperationException();
	}

	@Override
	public OptionalLong pending() {
		return OptionalLong.empty();
	}

	private final class EvalProducer implements Producer {

		private final byte[][] keys = { KEY };

		@Override
		public void schedule(BenchTask task) {
			connection().sync()
				.evalsha(EmptyScript.this.script, ScriptOutputType.INTEGER, this.keys, bytes(task.id()),
						Payloads.toJson(task.payload()), bytes(String.valueOf(task.dueAtMillis())));
		}

		@Override
		public CompletionStage<?> scheduleAsync(BenchTask task) {
			return connection().async()
				.evalsha(EmptyScript.this.script, ScriptOutputType.INTEGER, this.keys, bytes(task.id()),
						Payloads.toJson(task.payload()), bytes(String.valueOf(task.dueAtMillis())));
		}

	}

}
