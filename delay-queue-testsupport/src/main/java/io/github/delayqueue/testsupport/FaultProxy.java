package io.github.delayqueue.testsupport;

import java.net.InetSocketAddress;
import java.time.Duration;

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

	private final ProxyFaults faults = new ProxyFaults();

	private final ProxyLoop loop;

	private FaultProxy(InetSocketAddress target) {
		this.loop = new ProxyLoop(target, this.faults);
	}

	/**
	 * A proxy that accepts connections and does nothing to them yet.
	 * @param server what it passes connections on to, running or not
	 */
	public static FaultProxy inFrontOf(RedisServer server) {
		return inFrontOf(server.host(), server.port());
	}

	/**
	 * A proxy that accepts connections and does nothing to them yet.
	 * @param host the host it passes connections on to
	 */
	public static FaultProxy inFrontOf(String host, int port) {
		return new FaultProxy(new InetSocketAddress(host, port));
	}

	public String host() {
		return this.loop.address().getHostString();
	}

	public int port() {
		return this.loop.address().getPort();
	}

	public String url() {
		return "redis://" + host() + ":" + port();
	}

	/** Cut all connections. New ones are accepted as before. */
	public void cutAll() {
		this.loop.call(this.loop::cutAll);
	}

	/**
	 * Let all connections fall silent for good, as those to a host that has vanished:
	 * they stay open, and nothing passes either way. New ones are accepted as before.
	 */
	public void silenceAll() {
		this.loop.call(this.loop::silenceAll);
	}

	/**
	 * Refuse new connections, as a port does on which nobody listens, or accept them
	 * again. Connections that exist are left alone.
	 * @param refuse whether to refuse
	 */
	public void refuse(boolean refuse) {
		this.loop.call(() -> this.loop.listen(!refuse));
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
	public void cutBeforeReply(int times) {
		this.loop.call(() -> this.faults.cutReplies = times);
	}

	/**
	 * Keep whatever passes for some time, each way. The order stays, and so does the
	 * throughput.
	 * @param delay how long, zero for not at all
	 */
	public void delay(Duration delay) {
		this.loop.call(() -> this.faults.delay = delay);
	}

	/**
	 * Swallow what is published to subscribers, or pass it on again. Subscribing succeeds
	 * and no connection breaks: nobody can notice. What has been swallowed is lost.
	 * Connections on which other commands were sent before SUBSCRIBE are not recognised.
	 * @param drop whether to swallow
	 */
	public void dropWakeMessages(boolean drop) {
		this.loop.call(() -> this.faults.dropMessages = drop);
	}

	/**
	 * Do no more than passing on: accept, cut nothing, delay nothing (what is being kept
	 * goes at once), swallow nothing.
	 */
	public void heal() {
		this.loop.call(() -> {
			this.faults.heal();
			this.loop.listen(true);
		});
	}

	/** How many connections were accepted. */
	public long accepted() {
		return this.faults.accepted.sum();
	}

	/** How many connections were cut, for whatever reason. */
	public long cuts() {
		return this.faults.cuts.sum();
	}

	/** How many connections were cut in place of a reply. */
	public long cutReplies() {
		return this.faults.repliesCut.sum();
	}

	/** How many messages to subscribers were swallowed. */
	public long swallowedMessages() {
		return this.faults.messagesSwallowed.sum();
	}

	/** How many bytes the swallowed messages had. */
	public long swallowedBytes() {
		return this.faults.bytesSwallowed.sum();
	}

	/**
	 * How many bytes were read from either side and not thrown away by
	 * {@link #cutBeforeReply()} or {@link #dropWakeMessages(boolean)}.
	 */
	public long passedBytes() {
		return this.faults.bytesPassed.sum();
	}

	/** End all connections and give the port back. Harmless twice. */
	@Override
	public void close() {
		this.loop.close();
	}

}
