package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * The one thread of a {@link FaultProxy}, which owns all its connections. Others let it
 * carry out orders by {@link #call(Runnable)}.
 */
final class ProxyLoop implements AutoCloseable {

	private static final long PATIENCE_SECONDS = 10;

	private final InetSocketAddress target;

	private final ProxyFaults faults;

	private final Selector selector;

	private final InetSocketAddress address;

	private final Queue<FutureTask<?>> orders = new ConcurrentLinkedQueue<>();

	private final Set<ProxyLink> links = new LinkedHashSet<>();

	private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);

	private final Thread thread = new Thread(this::run, "fault-proxy");

	private @Nullable ServerSocketChannel listener;

	private boolean closed;

	ProxyLoop(InetSocketAddress target, ProxyFaults faults) {
		this.target = target;
		this.faults = faults;
		this.address = new InetSocketAddress("127.0.0.1", Ports.free());
		try {
			this.selector = Selector.open();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		listen(true);
		this.thread.setDaemon(true);
		this.thread.start();
	}

	InetSocketAddress address() {
		return this.address;
	}

	/**
	 * Let the thread do something, and wait until it has.
	 * @param order what
	 * @throws IllegalStateException if it failed or the proxy is closed
	 */
	void call(Runnable order) {
		FutureTask<?> task = new FutureTask<>(() -> {
			order.run();
			// channels that were closed let go of their ports only when they leave the
			// selector
			this.selector.selectNow();
			return null;
		});
		this.orders.add(task);
		this.selector.wakeup();
		try {
			if (!this.thread.isAlive() && this.orders.remove(task)) {
				throw new IllegalStateException("The proxy at " + this.address + " does not run any more");
			}
			task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for the proxy", ex);
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new IllegalStateException("The proxy at " + this.address + " could not do as it was told", ex);
		}
	}

	void listen(boolean listen) {
		try {
			if (listen && this.listener == null) {
				this.listener = bound();
				this.listener.configureBlocking(false);
				this.listener.register(this.selector, SelectionKey.OP_ACCEPT);
			}
			else if (!listen && this.listener != null) {
				this.listener.close();
				this.listener = null;
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot (un)bind " + this.address, ex);
		}
	}

	/** A process that is just being started has all sockets of this one for a moment. */
	private ServerSocketChannel bound() throws IOException {
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS) / 2;
		while (true) {
			ServerSocketChannel channel = ServerSocketChannel.open();
			try {
				return channel.bind(this.address, 1024);
			}
			catch (BindException ex) {
				channel.close();
				if (System.nanoTime() - end > 0) {
					throw ex;
				}
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
			}
		}
	}

	void cutAll() {
		this.links.forEach(ProxyLink::cut);
		this.links.clear();
	}

	void silenceAll() {
		this.links.forEach(ProxyLink::silence);
	}

	private void run() {
		try {
			while (!this.closed) {
				turn();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The proxy at " + this.address + " has died", ex);
		}
	}

	private void turn() throws IOException {
		long nanos = this.links.stream().mapToLong(ProxyLink::nanosUntilDue).min().orElse(Long.MAX_VALUE);
		if (nanos > 0) {
			this.selector.select((nanos == Long.MAX_VALUE) ? 0 : 1 + TimeUnit.NANOSECONDS.toMillis(nanos));
		}
		else {
			this.selector.selectNow();
		}
		for (FutureTask<?> order = this.orders.poll(); order != null; order = this.orders.poll()) {
			order.run();
		}
		for (SelectionKey key : this.selector.selectedKeys()) {
			if (key.isValid() && key.isAcceptable()) {
				accept((ServerSocketChannel) key.channel());
			}
			else if (key.isValid()) {
				((ProxyLink) key.attachment()).onReady(key, this.buffer);
			}
		}
		this.selector.selectedKeys().clear();
		this.links.forEach(ProxyLink::pump);
		this.links.removeIf(ProxyLink::isClosed);
	}

	private void accept(ServerSocketChannel listener) throws IOException {
		SocketChannel client = listener.accept();
		if (client != null) {
			this.faults.accepted.increment();
			this.links.add(new ProxyLink(client, this.target, this.selector, this.faults));
		}
	}

	@Override
	public void close() {
		if (!this.thread.isAlive()) {
			return;
		}
		call(() -> {
			listen(false);
			this.links.forEach(ProxyLink::close);
			this.closed = true;
		});
		try {
			this.thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
			this.selector.close();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
