package io.github.delayqueue.benchmark;

/**
 * Runs the measures and writes the report.
 */
public final class Benchmark {

	private Benchmark() {
	}

	public static void main(String[] args) {
		System.out.println("Nothing to measure yet");
	}

}
