package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import org.opentest4j.TestAbortedException;

/**
 * Machines with a network between them, which this class breaks: network namespaces, and
 * a process in C that carries their packets. All of it ends with that process, and the
 * process ends with this JVM. Tests reach all machines all the time. Not for several
 * threads at once.
 */
public final class Machines implements AutoCloseable {

	private static final String SOURCE = "io/github/delayqueue/testsupport/machines.c";

	private static final Pattern READY = Pattern.compile("^machines((?: \\d+)+)$", Pattern.MULTILINE);

	/** For measurements of networks, of which there are 512 (RFC 2544). */
	private static final String SUBNETS = "198.";

	private static final int FIRST_SUBNET = 18 << Byte.SIZE;

	private static final int NUMBERS = 3;

	private static final double MILLION = 1e6;

	private final List<Machine> machines;

	private final ChildJvm process;

	private final MappedByteBuffer links;

	private Machines(int count, String subnet, Path links) throws IOException {
		int size = (count + 1) * (count + 1) * NUMBERS * Integer.BYTES;
		try (FileChannel file = FileChannel.open(links, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
			file.write(ByteBuffer.allocate(size));
			this.links = file.map(FileChannel.MapMode.READ_WRITE, 0, size);
		}
		this.links.order(ByteOrder.nativeOrder());
		this.process = ChildJvm.of(List.of(String.valueOf(count), subnet, links.toString()))
			.longLived()
			.java(CLibrary.program(SOURCE))
			.start();
		try {
			MatchResult ready = this.process.await(READY, 1);
			String[] namespaces = ready.group(1).strip().split(" ");
			this.machines = IntStream.rangeClosed(1, count)
				.mapToObj((i) -> new Machine(i, subnet + "." + (i + 1),
						List.of("nsenter", "--net=/proc/" + this.process.pid() + "/fd/" + namespaces[i - 1])))
				.toList();
		}
		catch (AssertionError ex) {
			throw new TestAbortedException("Network namespaces cannot be had: " + this.process.log(), ex);
		}
	}

	/**
	 * Make machines with a network that works.
	 * @param count how many
	 * @throws TestAbortedException if they cannot be had here: they need Linux, root,
	 * {@code /dev/net/tun}, {@code nsenter} and a C compiler
	 */
	public static Machines start(int count) {
		if (Commands.find(List.of("nsenter")).isEmpty()) {
			throw new TestAbortedException("There is no nsenter on the PATH");
		}
		try {
			Path links = Files.createTempFile("delay-queue-links-", "");
			links.toFile().deleteOnExit();
			return new Machines(count, freeSubnet(), links);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String freeSubnet() throws IOException {
		List<String> used = NetworkInterface.networkInterfaces()
			.flatMap(NetworkInterface::inetAddresses)
			.map((address) -> address.getHostAddress())
			.toList();
		while (true) {
			int number = FIRST_SUBNET + ThreadLocalRandom.current().nextInt(512);
			String subnet = SUBNETS + (number >> Byte.SIZE) + "." + (number & 0xff);
			if (used.stream().noneMatch((address) -> address.startsWith(subnet + "."))) {
				return subnet;
			}
		}
	}

	/** All of them, without the one that tests run on. */
	public List<Machine> all() {
		return this.machines;
	}

	/** Let nothing arrive that some machines send to others. */
	public void cut(Collection<Machine> from, Collection<Machine> to) {
		link(from, to, Duration.ZERO, Duration.ZERO, 1);
	}

	/**
	 * Set how packets arrive that some machines send to others.
	 * @param delay how much later each of them does
	 * @param jitter how much later than that at most
	 * @param loss the share of those that do not arrive
	 */
	public void link(Collection<Machine> from, Collection<Machine> to, Duration delay, Duration jitter, double loss) {
		for (Machine one : from) {
			for (Machine other : to) {
				int at = (one.number() * (this.machines.size() + 1) + other.number()) * NUMBERS * Integer.BYTES;
				this.links.putInt(at, (int) TimeUnit.NANOSECONDS.toMicros(delay.toNanos()));
				this.links.putInt(at + Integer.BYTES, (int) TimeUnit.NANOSECONDS.toMicros(jitter.toNanos()));
				this.links.putInt(at + 2 * Integer.BYTES, (int) (loss * MILLION));
			}
		}
	}

	/** Let everything arrive at once. */
	public void heal() {
		link(this.machines, this.machines, Duration.ZERO, Duration.ZERO, 0);
	}

	/** Processes that still run on them reach nobody any more. */
	@Override
	public void close() {
		this.process.close();
	}

}
