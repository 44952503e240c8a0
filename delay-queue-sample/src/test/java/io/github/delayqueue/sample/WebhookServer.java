package io.github.delayqueue.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * A server that does not accept its first calls and keeps the time of each.
 */
final class WebhookServer implements AutoCloseable {

	private final HttpServer server;

	private volatile int refused;

	private final List<Call> calls = new CopyOnWriteArrayList<>();

	private WebhookServer(HttpServer server, int refused) {
		this.server = server;
		this.refused = refused;
		server.createContext("/", this::answer);
		server.start();
	}

	static WebhookServer refusing(int calls) {
		try {
			InetAddress host = InetAddress.getLoopbackAddress();
			return new WebhookServer(HttpServer.create(new InetSocketAddress(host, 0), 0), calls);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void answer(HttpExchange exchange) throws IOException {
		long at = System.currentTimeMillis();
		try (exchange) {
			String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
			this.calls.add(new Call(at, exchange.getRequestHeaders().getFirst("Content-Type"), body));
			exchange.sendResponseHeaders((this.calls.size() > this.refused) ? 204 : 503, -1);
		}
	}

	/** From now on. */
	void accept() {
		this.refused = 0;
	}

	String url() {
		return "http://localhost:" + this.server.getAddress().getPort() + "/hook";
	}

	List<Call> calls() {
		return this.calls;
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

	record Call(long atMillis, String contentType, String body) {

	}

}
