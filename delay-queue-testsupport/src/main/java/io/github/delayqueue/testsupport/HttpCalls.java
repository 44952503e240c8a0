package io.github.delayqueue.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/**
 * Calls an application on this machine, as one user with cookies of his own.
 */
public final class HttpCalls {

	private final CookieManager cookies = new CookieManager();

	private final HttpClient client = newClient();

	private final String base;

	/**
	 * Create calls.
	 * @param port where the application listens
	 */
	public HttpCalls(int port) {
		this.base = "http://localhost:" + port;
	}

	/**
	 * Send a GET.
	 * @param path the path
	 * @param headers names and values in turn
	 * @return the answer
	 */
	public HttpResponse<String> get(String path, String... headers) {
		return send(request(path, headers).GET());
	}

	/**
	 * Send a POST of JSON, unless the headers say otherwise.
	 * @param path the path
	 * @param body the body
	 * @param headers names and values in turn
	 * @return the answer
	 */
	public HttpResponse<String> post(String path, String body, String... headers) {
		HttpRequest.Builder request = request(path).setHeader("Content-Type", "application/json");
		for (int i = 0; i < headers.length; i += 2) {
			request.setHeader(headers[i], headers[i + 1]);
		}
		return send(request.POST(BodyPublishers.ofString(body)));
	}

	/**
	 * Begin any other request.
	 * @param path the path
	 * @param headers names and values in turn
	 * @return a builder
	 */
	public HttpRequest.Builder request(String path, String... headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(this.base + path));
		return (headers.length > 0) ? request.headers(headers) : request;
	}

	/**
	 * Send a request.
	 * @param builder as {@link #request} begins it
	 * @return the answer
	 */
	public HttpResponse<String> send(HttpRequest.Builder builder) {
		HttpRequest request = builder.timeout(Patience.LIMIT).build();
		// Reactor Netty may read no more from a connection once it has answered before it
		// had the whole body
		HttpClient once = request.bodyPublisher().isPresent() ? newClient() : this.client;
		try {
			return once.send(request, BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * What the server has set.
	 * @param name the name of a cookie that is there
	 * @return its value
	 */
	public String cookie(String name) {
		return this.cookies.getCookieStore()
			.getCookies()
			.stream()
			.filter((cookie) -> cookie.getName().equals(name))
			.findFirst()
			.orElseThrow()
			.getValue();
	}

	private HttpClient newClient() {
		return HttpClient.newBuilder().cookieHandler(this.cookies).build();
	}

}
