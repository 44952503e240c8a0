package io.github.delayqueue.sample.web;

import org.springframework.http.ResponseEntity;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/**
 * Answers to what has created something.
 */
public final class Created {

	private Created() {
	}

	/**
	 * 201 with the address of what was created.
	 * @param id its id, below the path of the request
	 * @param body what was created
	 * @param <T> type of the body
	 * @return the answer
	 */
	public static <T> ResponseEntity<T> at(String id, T body) {
		return ResponseEntity.created(ServletUriComponentsBuilder.fromCurrentRequest().pathSegment("{id}").build(id))
			.body(body);
	}

}
