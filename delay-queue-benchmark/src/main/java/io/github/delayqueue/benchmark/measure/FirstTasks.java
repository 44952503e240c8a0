package io.github.delayqueue.benchmark.measure;

import java.lang.management.ClassLoadingMXBean;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import tools.jackson.databind.json.JsonMapper;

import io.github.delayqueue.benchmark.Servers;
import io.github.delayqueue.benchmark.systems.DelayQueue;

/**
 * An application of the delay queue that was just started, and has its first tasks to
 * schedule, or to schedule and handle: how fast, and at which cost. What it measures and
 * how must be the same for all versions of the library, so {@code .ci/speed} compiles
 * this class, and what it needs, with each of them. It must need no other library of the
 * benchmark for that.
 */
public final class FirstTasks {

	private static final Map<String, Enqueue> WAYS = Map.of("enqueue-1", Enqueue.ONE_THREAD, "enqueue-16",
			Enqueue.THREADS, "enqueue-bulk", Enqueue.BULK);

	/** What can be measured, each in a process of its own. */
	public static final List<String> MEASURES = List.of("enqueue-1", "enqueue-16", "enqueue-bulk", "drain");

	private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(2);

	private FirstTasks() {
	}

	/**
	 * Measure, and write a line of JSON.
	 * @param args host and port of Redis, the measure, and how many tasks
	 */
	public static void main(String[] args) {
		try {
			Servers servers = new Servers(args[0], Integer.parseInt(args[1]), null);
			int tasks = tasks(args[2], Integer.parseInt(args[3]));
			Subject subject = new Subject(DelayQueue.TYPE, DelayQueue.TYPE.open(servers));
			Sample sample = measure(subject, servers, args[2], tasks);
			System.out.println(
					JsonMapper.builder().build().writeValueAsString(new Result(args[2], subject.key(), sample, null)));
		}
		catch (RuntimeException ex) {
			ex.printStackTrace();
		}
		// threads of the application would keep it alive
		System.exit(0);
	}

	/**
	 * One thread is slower than all else; a drain of less than a second scatters most.
	 */
	private static int tasks(String measure, int tasks) {
		return switch (measure) {
			case "enqueue-1" -> tasks / 3;
			case "drain" -> tasks * 4;
			default -> tasks;
		};
	}

	private static Sample measure(Subject subject, Servers servers, String measure, int tasks) {
		subject.reset();
		// what asks the server is loaded before
		Usage.now(subject.type(), servers);
		ClassLoadingMXBean loading = ManagementFactory.getClassLoadingMXBean();
		CompilationMXBean compilation = ManagementFactory.getCompilationMXBean();
		long classes = loading.getTotalLoadedClassCount();
		long compiled = compilation.getTotalCompilationTime();
		Usage before = Usage.now(subject.type(), servers);
		Enqueue way = WAYS.get(measure);
		Sample sample = (way != null) ? EnqueueMeasure.enqueue(subject, way, tasks, LIMIT_NANOS)
				: new Drain(subject, tasks).run();
		return Usage.now(subject.type(), servers)
			.addTo(sample, before, tasks)
			.with("classes", loading.getTotalLoadedClassCount() - classes)
			.with("compilation", (compilation.getTotalCompilationTime() - compiled) / 1000.0);
	}

}
