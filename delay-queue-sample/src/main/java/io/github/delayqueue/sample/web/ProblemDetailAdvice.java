package io.github.delayqueue.sample.web;

import java.time.DateTimeException;
import java.time.ZonedDateTime;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.transaction.TransactionException;
import org.springframework.validation.FieldError;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.exc.InvalidFormatException;

import io.github.delayqueue.DelayQueueException;

/**
 * Turns what goes wrong into problem details (RFC 9457) with a sentence that says what to
 * change.
 */
@RestControllerAdvice
class ProblemDetailAdvice extends ResponseEntityExceptionHandler {

	/**
	 * Redis or the database has not taken what was asked of it: better an error than a
	 * shop that forgets.
	 * @param exception says what and why
	 * @return 503
	 */
	@ExceptionHandler({ DelayQueueException.class, DataAccessException.class, TransactionException.class })
	ProblemDetail handleUnavailable(Exception exception) {
		this.logger.warn("Redis or the database could not do what the shop asked for: " + exception);
		return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE,
				"The shop cannot reach its data, please try again: " + exception.getMessage());
	}

	/**
	 * A date so far away that nothing can be added to it.
	 * @param exception says which
	 * @return 400
	 */
	@ExceptionHandler
	ProblemDetail handleOutOfRange(DateTimeException exception) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST,
				"A date is out of range: " + exception.getMessage());
	}

	@Override
	protected @Nullable ResponseEntity<Object> handleMethodArgumentNotValid(MethodArgumentNotValidException exception,
			HttpHeaders headers, HttpStatusCode status, WebRequest request) {
		exception.getBody()
			.setDetail(exception.getAllErrors()
				.stream()
				.map((error) -> (error instanceof FieldError field) ? field.getField() + " " + field.getDefaultMessage()
						: String.valueOf(error.getDefaultMessage()))
				.sorted()
				.collect(Collectors.joining("; ")));
		return super.handleMethodArgumentNotValid(exception, headers, status, request);
	}

	@Override
	protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(HttpMessageNotReadableException exception,
			HttpHeaders headers, HttpStatusCode status, WebRequest request) {
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, describe(exception.getCause()));
		return handleExceptionInternal(exception, problem, headers, status, request);
	}

	private static String describe(@Nullable Throwable cause) {
		if (cause instanceof InvalidFormatException invalid) {
			String expected = ZonedDateTime.class.equals(invalid.getTargetType())
					? "a date and time with zone, such as 2026-11-20T18:00:00+01:00[Europe/Paris]"
					: "what is expected here";
			return field(invalid) + " '" + invalid.getValue() + "' is not " + expected;
		}
		if (cause instanceof DatabindException invalid && !invalid.getPath().isEmpty()) {
			return field(invalid) + " cannot be read: " + invalid.getOriginalMessage();
		}
		return "The body must be a JSON object";
	}

	private static String field(DatabindException exception) {
		return exception.getPath()
			.stream()
			.map((reference) -> String.valueOf(reference.getPropertyName()))
			.collect(Collectors.joining("."));
	}

}
