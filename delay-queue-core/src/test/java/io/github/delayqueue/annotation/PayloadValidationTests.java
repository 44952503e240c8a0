package io.github.delayqueue.annotation;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import jakarta.validation.ConstraintViolationException;
import jakarta.validation.Valid;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import jakarta.validation.ValidatorFactory;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import org.junit.jupiter.api.Test;

import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.validation.Errors;
import org.springframework.validation.FieldError;
import org.springframework.validation.MapBindingResult;
import org.springframework.validation.annotation.Validated;
import org.springframework.validation.beanvalidation.LocalValidatorFactoryBean;
import org.springframework.validation.beanvalidation.MethodValidationPostProcessor;
import org.springframework.validation.method.MethodValidationException;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.listener.InvalidListenerException;
import io.github.delayqueue.listener.TaskResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Validation of payloads before the method is called.
 */
class PayloadValidationTests {

	private static final Order VALID = new Order("a", 1, new Address("here"));

	private static final Order INVALID = new Order("", -7, new Address("  "));

	@Test
	void validPayloadIsHandled() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(LocalValidatorFactoryBean.class, Listeners.class)) {
			for (String queue : new String[] { "valid", "validated", "task", "payload" }) {
				assertThat(Deliveries.handle(context.endpoint(queue), VALID)).isEqualTo(TaskResult.done());
			}
			assertThat(context.bean(Listeners.class).calls).isEqualTo(4);
		}
	}

	@Test
	void invalidPayloadIsDeadLetteredWithTheNamesOfItsFieldsAndNoValues() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(LocalValidatorFactoryBean.class, Listeners.class)) {
			for (String queue : new String[] { "valid", "validated", "task", "payload" }) {
				assertThat(Deliveries.handle(context.endpoint(queue), INVALID)).isEqualTo(TaskResult
					.deadLetter("Payload is not valid: address.street (NotBlank), amount (Min), number (NotBlank)"));
			}
			assertThat(context.bean(Listeners.class).calls).isZero();
		}
	}

	@Test
	void onlyTheGroupsAskedForAreValidated() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(LocalValidatorFactoryBean.class, Listeners.class)) {
			assertThat(Deliveries.handle(context.endpoint("groups"), INVALID)).isEqualTo(TaskResult.done());
			assertThat(Deliveries.handle(context.endpoint("groups"), new Order("a", 11, new Address("here"))))
				.isEqualTo(TaskResult.deadLetter("Payload is not valid: amount (Max)"));
		}
	}

	@Test
	void validatorOfTheApplicationIsUsed() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(StrictValidator.class, Only.class)) {
			assertThat(Deliveries.handle(context.endpoint(), VALID))
				.isEqualTo(TaskResult.deadLetter("Payload is not valid: as a whole (order.never)"));
		}
	}

	@Test
	void validatorOfJakartaIsUsed() throws Exception {
		try (ValidatorFactory factory = Validation.buildDefaultValidatorFactory();
				ListenerTestContext context = ListenerTestContext.of(Map.of(), (applicationContext) -> {
					applicationContext.registerBean("jakartaValidator", Validator.class, factory::getValidator);
					applicationContext.register(Only.class);
				})) {
			assertThat(Deliveries.handle(context.endpoint(), INVALID)).isInstanceOf(TaskResult.DeadLetter.class);
		}
	}

	@Test
	void neitherKeysNorIndexesNorValuesAreShown() throws Exception {
		Basket basket = new Basket(Map.of("4111-secret", new Address(" "), "a]b.c[d", new Address("")),
				List.of(new Address("here"), new Address("")), Map.of("secret key", ""), Map.of("", "secret"),
				List.of("", "secret"), Set.of("secret"), Optional.of("secret"),
				Map.of("secret", List.of(Map.of("secret", new Address("")))));
		try (ListenerTestContext context = ListenerTestContext.of(LocalValidatorFactoryBean.class, Baskets.class)) {
			assertThat(Deliveries.handle(context.endpoint(), basket))
				.isEqualTo(TaskResult.deadLetter(String.join(", ", "Payload is not valid: byKey[*].street (NotBlank)",
						"codes[*] (Size)", "deep[*][*][*].street (NotBlank)", "keys[*] (NotBlank)", "note (Size)",
						"ordered[*].street (NotBlank)", "tags[*] (Size)", "values[*] (NotBlank)")));
		}
	}

	@Test
	void keysThatAValidatorOfTheApplicationNamesAreNotShown() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(KeyValidator.class, Only.class)) {
			assertThat(Deliveries.handle(context.endpoint(), VALID))
				.isEqualTo(TaskResult.deadLetter("Payload is not valid: items[*].name (empty)"));
		}
	}

	@Test
	void whatTheProxyOfAValidatedClassRefusesIsDeadLetteredLikeAnInvalidPayload() throws Exception {
		for (boolean adapted : new boolean[] { false, true }) {
			try (ListenerTestContext context = methodValidation(adapted, ValidatedClass.class)) {
				assertThat(Deliveries.handle(context.endpoint("class"), Deliveries.of("text", Map.of("tenant", "a"))))
					.isEqualTo(TaskResult.done());
				assertThat(Deliveries.handle(context.endpoint("class"), Deliveries.of("", Map.of("tenant", " "))))
					.isEqualTo(TaskResult.deadLetter("Arguments are not valid: tenant (NotBlank), text (NotBlank)"));
				assertThat(context.bean(ValidatedClass.class).calls()).isOne();
			}
		}
	}

	@Test
	void keysOfMapsAreNotNamed() throws Exception {
		for (boolean adapted : new boolean[] { false, true }) {
			try (ListenerTestContext context = methodValidation(adapted, ValidatedClass.class)) {
				assertThat(Deliveries.handle(context.endpoint("map"), Map.of("secret", INVALID)))
					.isEqualTo(TaskResult.deadLetter("Arguments are not valid: orders[*].address.street (NotBlank), "
							+ "orders[*].amount (Min), orders[*].number (NotBlank)"));
				Basket basket = new Basket(Map.of("a]secret.c[d", new Address("")), List.of(), Map.of(), Map.of(),
						List.of(), Set.of(), Optional.empty(), Map.of());
				assertThat(Deliveries.handle(context.endpoint("baskets"), Map.of("secret", basket)))
					.isEqualTo(TaskResult.deadLetter("Arguments are not valid: baskets[*].byKey[*].street (NotBlank)"));
			}
		}
	}

	@Test
	void tasksOfABatchThatTheProxyRefusesAreDeadLetteredAndTheOthersHandled() throws Exception {
		for (boolean adapted : new boolean[] { false, true }) {
			try (ListenerTestContext context = methodValidation(adapted, ValidatedClass.class)) {
				assertThat(Deliveries.handleAll(context.endpoint("batch"), Deliveries.of(VALID), Deliveries.of(INVALID),
						Deliveries.of(VALID)))
					.containsExactly(TaskResult.done(), TaskResult.deadLetter(
							"Arguments are not valid: address.street (NotBlank), amount (Min), number (NotBlank)"),
							TaskResult.done());
			}
		}
	}

	@Test
	void whatAnotherBeanRefusesIsAnOrdinaryException() {
		for (boolean adapted : new boolean[] { false, true }) {
			try (ListenerTestContext context = methodValidation(adapted, ValidatedClass.class, Strict.class,
					Caller.class)) {
				assertThatThrownBy(() -> Deliveries.handle(context.endpoint("caller"), "payload"))
					.isInstanceOf(adapted ? MethodValidationException.class : ConstraintViolationException.class);
			}
		}
	}

	@Test
	void whatTheMethodReturnsAgainstItsConstraintsIsAnOrdinaryException() {
		for (boolean adapted : new boolean[] { false, true }) {
			try (ListenerTestContext context = methodValidation(adapted, ValidatedClass.class)) {
				assertThatThrownBy(() -> Deliveries.handle(context.endpoint("returned"), "payload"))
					.isInstanceOf(adapted ? MethodValidationException.class : ConstraintViolationException.class);
			}
		}
	}

	private static ListenerTestContext methodValidation(boolean adapted, Class<?>... listeners) {
		return ListenerTestContext.of(Map.of(), (context) -> {
			context.register(LocalValidatorFactoryBean.class);
			context.registerBean(MethodValidationPostProcessor.class, () -> {
				MethodValidationPostProcessor processor = new MethodValidationPostProcessor();
				processor.setProxyTargetClass(true);
				processor.setAdaptConstraintViolations(adapted);
				return processor;
			});
			context.register(listeners);
		});
	}

	@Test
	void validationWithoutValidatorIsRefused() {
		InvalidListenerException failure = ListenerTestContext.failureOf(Only.class);
		assertThat(failure).hasMessage("@DelayQueueListener method " + Only.class.getName()
				+ ".handle(Order) asks for its payload to be validated, but there is no Validator bean for "
				+ Order.class.getName());
		assertThat(failure.getAction()).contains("spring-boot-starter-validation").contains("remove @Valid");
	}

	interface Large {

	}

	record Order(@NotBlank String number,
			@Min(0) @jakarta.validation.constraints.Max(value = 10, groups = Large.class) int amount,
			@Valid Address address) {

	}

	record Address(@NotBlank String street) {

	}

	record Basket(Map<String, @Valid Address> byKey, List<@Valid Address> ordered, Map<String, @NotBlank String> values,
			Map<@NotBlank String, String> keys, List<@Size(max = 3) String> codes, Set<@Size(max = 3) String> tags,
			Optional<@Size(max = 3) String> note, Map<String, List<Map<String, @Valid Address>>> deep) {

	}

	static class Baskets {

		@DelayQueueListener("orders")
		void handle(@Valid Basket basket) {
		}

	}

	static class KeyValidator implements org.springframework.validation.Validator {

		@Override
		public boolean supports(Class<?> type) {
			return type == Order.class;
		}

		@Override
		public void validate(Object target, Errors errors) {
			MapBindingResult keyed = new MapBindingResult(Map.of(), errors.getObjectName());
			keyed.addError(new FieldError(errors.getObjectName(), "items[se].cret][x].name", "secret", false,
					new String[] { "empty" }, null, "'secret' is empty"));
			errors.addAllErrors(keyed);
		}

	}

	static class Listeners {

		private int calls;

		@DelayQueueListener("valid")
		void valid(@Valid Order order) {
			this.calls++;
		}

		@DelayQueueListener("validated")
		void validated(@Validated Order order) {
			this.calls++;
		}

		@DelayQueueListener("task")
		void task(@Valid DelayedTask<Order> task) {
			this.calls++;
		}

		@DelayQueueListener("payload")
		void payload(@Payload @Valid Order order) {
			this.calls++;
		}

		@DelayQueueListener("groups")
		void groups(@Validated(Large.class) Order order) {
			this.calls++;
		}

	}

	static class Only {

		@DelayQueueListener("orders")
		void handle(@Valid Order order) {
		}

	}

	static class StrictValidator implements org.springframework.validation.Validator {

		@Override
		public boolean supports(Class<?> type) {
			return type == Order.class;
		}

		@Override
		public void validate(Object target, Errors errors) {
			errors.reject("order.never");
		}

	}

	@Validated
	static class ValidatedClass {

		private int calls;

		int calls() {
			return this.calls;
		}

		@DelayQueueListener("class")
		void handle(@NotBlank String text, @Header("tenant") @NotBlank String tenant) {
			this.calls++;
		}

		@DelayQueueListener("map")
		void map(Map<String, @Valid Order> orders) {
		}

		@DelayQueueListener("baskets")
		void baskets(Map<String, @Valid Basket> baskets) {
		}

		@DelayQueueListener(queue = "batch", batchSize = "3")
		void batch(List<@Valid Order> orders) {
		}

		@DelayQueueListener("returned")
		@AssertTrue
		boolean returned(String payload) {
			return false;
		}

	}

	@Validated
	static class Strict {

		void call(@NotBlank String text) {
		}

	}

	static class Caller {

		private final Strict strict;

		Caller(Strict strict) {
			this.strict = strict;
		}

		@DelayQueueListener("caller")
		void handle(String payload) {
			this.strict.call("");
		}

	}

}
