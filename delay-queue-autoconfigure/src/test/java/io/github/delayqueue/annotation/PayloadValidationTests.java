package io.github.delayqueue.annotation;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import jakarta.validation.Valid;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import jakarta.validation.ValidatorFactory;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.validation.Errors;
import org.springframework.validation.FieldError;
import org.springframework.validation.MapBindingResult;
import org.springframework.validation.annotation.Validated;
import org.springframework.validation.beanvalidation.LocalValidatorFactoryBean;

import io.github.delayqueue.DelayedTask;
import io.github.delayqueue.listener.InvalidListenerException;
import io.github.delayqueue.listener.TaskResult;

import static org.assertj.core.api.Assertions.assertThat;

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
	void invalidPayloadIsBuriedWithTheNamesOfItsFieldsAndNoValues() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(LocalValidatorFactoryBean.class, Listeners.class)) {
			for (String queue : new String[] { "valid", "validated", "task", "payload" }) {
				assertThat(Deliveries.handle(context.endpoint(queue), INVALID)).isEqualTo(TaskResult
					.bury("Payload is not valid: address.street (NotBlank), amount (Min), number (NotBlank)"));
			}
			assertThat(context.bean(Listeners.class).calls).isZero();
		}
	}

	@Test
	void onlyTheGroupsAskedForAreValidated() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(LocalValidatorFactoryBean.class, Listeners.class)) {
			assertThat(Deliveries.handle(context.endpoint("groups"), INVALID)).isEqualTo(TaskResult.done());
			assertThat(Deliveries.handle(context.endpoint("groups"), new Order("a", 11, new Address("here"))))
				.isEqualTo(TaskResult.bury("Payload is not valid: amount (Max)"));
		}
	}

	@Test
	void withoutAnnotationNothingIsValidated() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(LocalValidatorFactoryBean.class, Unvalidated.class)) {
			assertThat(Deliveries.handle(context.endpoint(), INVALID)).isEqualTo(TaskResult.done());
		}
	}

	@Test
	void validatorOfTheApplicationIsUsed() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(StrictValidator.class, Only.class)) {
			assertThat(Deliveries.handle(context.endpoint(), VALID))
				.isEqualTo(TaskResult.bury("Payload is not valid: as a whole (order.never)"));
		}
	}

	@Test
	void validatorOfJakartaIsUsed() throws Exception {
		try (ValidatorFactory factory = Validation.buildDefaultValidatorFactory();
				ListenerTestContext context = ListenerTestContext.of(Map.of(), (applicationContext) -> {
					applicationContext.registerBean("jakartaValidator", Validator.class, factory::getValidator);
					applicationContext.register(Only.class);
				})) {
			assertThat(Deliveries.handle(context.endpoint(), INVALID)).isInstanceOf(TaskResult.Bury.class);
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
				.isEqualTo(TaskResult.bury(String.join(", ", "Payload is not valid: byKey[*].street (NotBlank)",
						"codes[*] (Size)", "deep[*][*][*].street (NotBlank)", "keys[*] (NotBlank)", "note (Size)",
						"ordered[*].street (NotBlank)", "tags[*] (Size)", "values[*] (NotBlank)")));
		}
	}

	@Test
	void keysThatAValidatorOfTheApplicationNamesAreNotShown() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(KeyValidator.class, Only.class)) {
			assertThat(Deliveries.handle(context.endpoint(), VALID))
				.isEqualTo(TaskResult.bury("Payload is not valid: items[*].name (empty)"));
		}
	}

	@Test
	void primaryValidatorIsPreferredAmongSeveral() throws Exception {
		try (ListenerTestContext context = ListenerTestContext.of(Map.of(), PayloadValidationTests::twoValidators)) {
			assertThat(Deliveries.handle(context.endpoint(), INVALID))
				.isEqualTo(TaskResult.bury("Payload is not valid: as a whole (order.never)"));
		}
	}

	@Test
	void validationWithoutValidatorIsRefused() {
		InvalidListenerException failure = ListenerTestContext.failureOf(Only.class);
		assertThat(failure).hasMessage("@DelayQueueListener method " + Only.class.getName()
				+ ".handle(Order) asks for its payload to be validated, but there is no Validator bean for "
				+ Order.class.getName());
		assertThat(failure.getAction()).contains("spring-boot-starter-validation").contains("remove @Valid");
	}

	private static void twoValidators(AnnotationConfigApplicationContext context) {
		context.register(LocalValidatorFactoryBean.class, Only.class);
		context.registerBean(StrictValidator.class, (definition) -> definition.setPrimary(true));
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

	static class Unvalidated {

		@DelayQueueListener("orders")
		void handle(Order order) {
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

}
