package io.github.delayqueue.sample.web;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/**
 * What a controller throws; the answer is a problem detail with the sentence.
 */
public final class Problems {

	private Problems() {
	}

	public static ResponseStatusException badRequest(String sentence) {
		return new ResponseStatusException(HttpStatus.BAD_REQUEST, sentence);
	}

	public static ResponseStatusException notFound(String what, String id) {
		return new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no " + what + " '" + id + "'");
	}

	public static ResponseStatusException conflict(String sentence) {
		return new ResponseStatusException(HttpStatus.CONFLICT, sentence);
	}

	public static ResponseStatusException failed(String sentence) {
		return new ResponseStatusException(HttpStatus.INTERNAL_SERVER_ERROR, sentence);
	}

}
