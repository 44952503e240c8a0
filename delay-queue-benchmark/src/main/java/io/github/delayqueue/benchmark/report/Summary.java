package io.github.delayqueue.benchmark.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Six lines for people who do not read the document, in the README of each language: what
 * stands there between two marks.
 */
final class Summary {

	private static final Pattern PLACE = Pattern.compile("(?s)(<!-- speed -->\n).*?(<!-- /speed -->)");

	private static final List<Line> LINES = List.of(
			new Line("open-highest", Targets.OURS, "Delay Queue: highest steady rate, 99 % of tasks within 100 ms",
					"Delay Queue：99% 的任务在 100 毫秒内执行的最高稳定速率"),
			new Line("open-highest", "redisson", "the same by Redisson's `RDelayedQueue`",
					"同上，Redisson `RDelayedQueue`"),
			new Line("drain-cold", Targets.OURS, "Delay Queue: 50,000 due at once, in a process just started",
					"Delay Queue：50,000 个任务同时到期，进程刚启动"),
			new Line("drain", Targets.OURS, "the same, warm", "同上，已预热"),
			new Line("drain", "loop-500", "bound: a loop that pops 500 at a time and loses them when it dies",
					"上限参照：循环，每次弹出 500 个，进程一挂任务就丢"),
			new Line("drain", "postgres",
					"a PostgreSQL table polled with `SKIP LOCKED`, which loses nothing; commits do not wait for the disk",
					"用 `SKIP LOCKED` 轮询的 PostgreSQL 表，不丢任务；提交时不等落盘"));

	private static final Map<String, Boolean> FILES = Map.of("README.md", false, "README.zh-CN.md", true);

	private final Run run;

	Summary(Run run) {
		this.run = run;
	}

	/**
	 * What is to be between the marks.
	 * @param chinese whether in Chinese, else in English
	 * @return Markdown
	 */
	String text(boolean chinese) {
		String table = LINES.stream()
			.map((line) -> "| " + (chinese ? line.chinese : line.english) + " | " + line.text(this.run) + " |\n")
			.collect(Collectors.joining());
		String date = this.run.started().toString().substring(0, "2026-11-26".length());
		Object[] figures = { new Column("", "open-50", "p50", Unit.MILLIS).text(this.run, Targets.OURS),
				new Column("", "open-50", "p99", Unit.MILLIS).text(this.run, Targets.OURS),
				new Column("", "memory", "bytes", Unit.BYTES).text(this.run, Targets.OURS) };
		return chinese
				? "**速度**：客户端和服务器共用一台机器的处理器；三个进程的中位数（最低–最高；1×、2× 表示只测了一、两个进程），取自 " + date
						+ " 的[基准测试](docs/internals/benchmark.md)：\n\n| | 每秒任务数 |\n| --- | ---: |\n" + table
						+ String.format(Locale.ROOT,
								"\n每秒 50 个任务时，任务到期后 %s 毫秒开始执行（中位数；P99 为 %s 毫秒）；每个等待中的任务占 Redis %s 字节。\n", figures)
				: "**Speed**, client and servers on the same processors; median of three processes (least–most; 1× or 2× where there were fewer), [benchmark](docs/internals/benchmark.md) of "
						+ date + ":\n\n| | tasks a second |\n| --- | ---: |\n" + table
						+ String.format(Locale.ROOT,
								"\nAt 50 tasks a second, a handler starts %s ms after its task is due (median; %s ms at the 99th percentile), and a waiting task takes %s bytes of Redis.\n",
								figures);
	}

	/**
	 * Write it into the files that have a place for it.
	 * @param folder where they are
	 * @throws IOException if that is not possible
	 */
	void write(Path folder) throws IOException {
		for (Map.Entry<String, Boolean> name : FILES.entrySet()) {
			Path file = folder.resolve(name.getKey());
			if (Files.exists(file)) {
				Files.writeString(file, PLACE.matcher(Files.readString(file))
					.replaceAll("$1" + Matcher.quoteReplacement(text(name.getValue())) + "$2"));
			}
		}
	}

	private record Line(String measure, String system, String english, String chinese) {

		String text(Run run) {
			return new Column("", this.measure, "rate", Unit.RATE).text(run, this.system);
		}

	}

}
