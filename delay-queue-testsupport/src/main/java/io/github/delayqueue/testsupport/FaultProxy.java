package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy in front of a Redis server that breaks, delays and swallows as a test tells
 * it to. Its port, on the loopback interface, stays the same until it is closed; the
 * server behind it may come and go. Bytes are passed on as they are and in their order;
 * what either side ends, ends for the other.
 * <p>
 * Connections are cut in two ways by turns, first with an orderly end, then with a reset:
 * drivers differ in what they do after either. Lettuce connects and sends again what had
 * no reply after an end, and reports an error after a reset.
 * <p>
 * Every method returns when what it says is in force. Thread-safe.
 * <p>
 * Written by hand: Toxiproxy is an image to pull, and knows no protocol, so it could not
 * swallow single messages.
 */
public final class FaultProxy implements AutoCloseable {

	private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

	private final InetSocketAddress target;

	private final InetSocketAddress address = new InetSocketAddress(Ports.HOST, Ports.free());

	private final Set<ProxyLink> links = new LinkedHashSet<>();

	private final Set<ProxyLink> silent = new LinkedHashSet<>();

	private @Nullable ServerSocket listener;

	private Thread acceptor = new Thread();

	private Duration delay = Duration.ZERO;

	private boolean keepReplies;

	/** How many more connections are to be cut in place of a reply. */
	private int cutReplies;

	private boolean dropMessages;

	private boolean closed;

	private long accepted;

	private long cuts;

	private long repliesCut;

	private FaultProxy(InetSocketAddress target) {
		this.target = target;
		refuse(false);
	}

	/**
	 * A proxy that accepts connections and does nothing to them yet.
	 * @param server what it passes connections on to, running or not
	 */
	public static FaultProxy inFrontOf(RedisNode server) {
		return new FaultProxy(new InetSocketAddress(server.host(), server.port()));
	}

	public String host() {
		return this.address.getHostString();
	}

	public int port() {
		return this.address.getPort();
	}

	private void accept(ServerSocket listener) {
		try {
			while (true) {
				add(listener, listener.accept());
			}
		}
		catch (IOException ex) {
			// it is to refuse, or to end
		}
	}

	/** Who comes in the moment in which it begins to refuse is late. */
	private synchronized void add(ServerSocket listener, Socket client) throws IOException {
		if (listener != this.listener) {
			client.close();
			return;
		}
		this.accepted++;
		this.links.removeIf(ProxyLink::isClosed);
		this.silent.removeIf(ProxyLink::isClosed);
		this.links.add(new ProxyLink(this, client, this.target));
	}

	/**
	 * One side has ended a connection: so does the other, unless it is to hear nothing.
	 * @param reset whether by a reset rather than in the ordinary way
	 */
	synchronized void end(ProxyLink link, boolean reset) {
		if (!this.silent.contains(link)) {
			link.close(reset);
			notifyAll();
		}
	}

	/** Cut all connections. New ones are accepted as before. */
	public synchronized void cutAll() {
		this.links.forEach(this::cut);
		this.links.clear();
		notifyAll();
	}

	private void cut(ProxyLink link) {
		this.cuts++;
		link.close(this.cuts % 2 == 0);
	}

	/**
	 * Let all connections fall silent for good, as those to a host that has vanished:
	 * they stay open, and nothing passes either way. New ones are accepted as before.
	 */
	public synchronized void silenceAll() {
		this.silent.addAll(this.links);
	}

	/**
	 * Refuse new connections, as a port does on which nobody listens, or accept them
	 * again. Connections that exist are left alone.
	 * @param refuse whether to refuse
	 */
	public synchronized void refuse(boolean refuse) {
		try {
			if (this.closed) {
				throw new IllegalStateException("The proxy at " + this.address + " does not run any more");
			}
			if (refuse && this.listener != null) {
				this.listener.close();
				this.listener = null;
				// a socket listens as long as a thread waits at it
				while (this.acceptor.isAlive()) {
					wait(1);
				}
			}
			else if (!refuse && this.listener == null) {
				ServerSocket listener = bound();
				this.listener = listener;
				this.acceptor = new Thread(() -> accept(listener), "fault-proxy-accept");
				this.acceptor.setDaemon(true);
				this.acceptor.start();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot (un)bind " + this.address, ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while the proxy stops listening", ex);
		}
	}

	/** A process that is just being started has all sockets of this one for a moment. */
	private ServerSocket bound() throws IOException {
		long end = System.nanoTime() + PATIENCE_NANOS;
		while (true) {
			try {
				return new ServerSocket(this.address.getPort(), 1024, this.address.getAddress());
			}
			catch (BindException ex) {
				if (System.nanoTime() - end > 0) {
					throw ex;
				}
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
			}
		}
	}

	/**
	 * Let requests reach the server, but cut the connection when its reply comes, until
	 * {@link #heal()}. Replies to what a client says by way of greeting (HELLO, AUTH,
	 * CLIENT, SELECT, PING), and connections for subscriptions, are left alone.
	 */
	public void cutBeforeReply() {
		cutBeforeReply(Integer.MAX_VALUE);
	}

	/**
	 * As {@link #cutBeforeReply()}, for a number of connections.
	 * @param times how many, 0 for no more
	 */
	public synchronized void cutBeforeReply(int times) {
		this.cutReplies = times;
	}

	/**
	 * A reply has come: cut its connection, if that is what is to be done.
	 * @return whether it was cut
	 */
	synchronized boolean cutsReply(ProxyLink link) {
		if (this.cutReplies == 0 || link.isClosed()) {
			return false;
		}
		this.cutReplies -= (this.cutReplies == Integer.MAX_VALUE) ? 0 : 1;
		this.repliesCut++;
		cut(link);
		return true;
	}

	/**
	 * Keep whatever passes for some time, each way. The order stays, and so does the
	 * throughput.
	 * @param delay how long, zero for not at all
	 */
	public synchronized void delay(Duration delay) {
		this.delay = delay;
		notifyAll();
	}

	/**
	 * Let requests reach the server, but keep its replies until {@link #heal()}. Replies
	 * to greetings, and connections for subscriptions, are left alone, as by
	 * {@link #cutBeforeReply()}: a client that gives up can connect anew.
	 */
	public synchronized void keepReplies() {
		this.keepReplies = true;
	}

	/**
	 * Wait until what came in at a time is to go out, or its connection has ended.
	 * @param reply whether it is a reply to a command that is no greeting
	 */
	synchronized void awaitDue(ProxyLink link, long arrivedAtNanos, boolean reply) throws InterruptedException {
		while (!link.isClosed()) {
			boolean silent = this.silent.contains(link) || (reply && this.keepReplies);
			long rest = arrivedAtNanos + this.delay.toNanos() - System.nanoTime();
			if (!silent && rest <= 0) {
				return;
			}
			wait(silent ? 0 : 1 + TimeUnit.NANOSECONDS.toMillis(rest));
		}
	}

	/**
	 * Swallow what is published to subscribers, or pass it on again. Subscribing succeeds
	 * and no connection breaks: nobody can notice. What has been swallowed is lost.
	 * Connections on which other commands were sent before SUBSCRIBE are not recognised.
	 * @param drop whether to swallow
	 */
	public synchronized void dropWakeMessages(boolean drop) {
		this.dropMessages = drop;
	}

	/** A message has come: whether it is not to be passed on. */
	synchronized boolean swallows() {
		return this.dropMessages;
	}

	/**
	 * Do no more than passing on: accept, cut nothing, delay nothing (what is being kept
	 * goes at once), swallow nothing.
	 */
	public synchronized void heal() {
		this.cutReplies = 0;
		this.dropMessages = false;
		this.keepReplies = false;
		delay(Duration.ZERO);
		refuse(false);
	}

	/** How many connections were accepted. */
	public synchronized long accepted() {
		return this.accepted;
	}

	/** How many connections were cut, for whatever reason. */
	public synchronized long cuts() {
		return this.cuts;
	}

	/** How many connections were cut in place of a reply. */
	public synchronized long cutReplies() {
		return this.repliesCut;
	}

	/** End all connections and give the port back. Harmless twice. */
	@Override
	public synchronized void close() {
		if (!this.closed) {
			refuse(true);
		}
		this.closed = true;
		this.links.forEach((link) -> link.close(true));
		this.links.clear();
		notifyAll();
	}

}
