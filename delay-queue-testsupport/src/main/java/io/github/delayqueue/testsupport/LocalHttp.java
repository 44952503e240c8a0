package io.github.delayqueue.testsupport;

import java.net.CookieManager;
import java.net.http.HttpClient;

import org.springframework.http.HttpMethod;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.web.util.DefaultUriBuilderFactory;
import org.springframework.web.util.DefaultUriBuilderFactory.EncodingMode;

/**
 * Spring's client, for an application on this machine.
 */
public final class LocalHttp {

	private LocalHttp() {
	}

	/**
	 * A client that is one user with cookies of his own, follows no redirection, and
	 * sends addresses as they are.
	 * @param port where the application listens
	 */
	public static RestTestClient client(int port) {
		CookieManager cookies = new CookieManager();
		JdkClientHttpRequestFactory requests = requests(cookies);
		DefaultUriBuilderFactory addresses = new DefaultUriBuilderFactory("http://localhost:" + port);
		addresses.setEncodingMode(EncodingMode.NONE);
		// Reactor Netty may read no more from a connection once it has answered before it
		// had the whole body
		return RestTestClient.bindToServer(
				(uri, method) -> ((method == HttpMethod.GET) ? requests : requests(cookies)).createRequest(uri, method))
			.uriBuilderFactory(addresses)
			.build();
	}

	private static JdkClientHttpRequestFactory requests(CookieManager cookies) {
		JdkClientHttpRequestFactory requests = new JdkClientHttpRequestFactory(
				HttpClient.newBuilder().cookieHandler(cookies).build());
		requests.setReadTimeout(Patience.LIMIT);
		return requests;
	}

}
