package io.github.delayqueue.convert;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.PropertyBindingException;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

/**
 * Payloads by Jackson 3. Default typing of the given mapper is not used, and types
 * annotated to carry class names are refused, when written already. Public for wiring.
 * Thread-safe.
 */
public final class JacksonPayloadMapper implements PayloadMapper, EnvelopeWriter.KnownJson {

	private final JsonMapper mapper;

	private final TypeObjections types;

	/** As many as there are types of handlers, and types asked for in code. */
	private final Map<Type, ObjectReader> readers = new ConcurrentHashMap<>();

	/**
	 * Create a mapper of payloads.
	 * @param mapper a safe and compact variant of it is used, and it is not changed
	 */
	public JacksonPayloadMapper(JsonMapper mapper) {
		JsonMapper.Builder builder = mapper.rebuild();
		this.mapper = builder.deactivateDefaultTyping()
			.polymorphicTypeValidator(BasicPolymorphicTypeValidator.builder().build())
			.annotationIntrospector(
					AnnotationIntrospector.pair(new ClassNamesRefused(), builder.annotationIntrospector()))
			.disable(SerializationFeature.INDENT_OUTPUT)
			.build();
		this.types = new TypeObjections(new JacksonTypes(this.mapper));
	}

	@Override
	public void write(OutputStream out, Payload payload) throws IOException {
		this.types.write(out, payload);
	}

	@Override
	public boolean writeKnown(OutputStream out, Payload payload) throws IOException {
		return this.types.write(out, payload);
	}

	@Override
	public @Nullable Object read(byte[] json, int offset, int length, Type type) {
		ObjectReader known = this.readers.get(type);
		ObjectReader reader = (known != null) ? known : this.readers.computeIfAbsent(type,
				(added) -> this.mapper.readerFor(this.mapper.constructType(added)));
		return reader.readValue(json, offset, length);
	}

	@Override
	public StreamReadConstraints limits() {
		return this.mapper.tokenStreamFactory().streamReadConstraints();
	}

	@Override
	public @Nullable String objection(Type type) {
		return this.types.of(type);
	}

	@Override
	public String describe(Throwable error) {
		ReadableCause cause = new ReadableCause(error);
		if (error instanceof JacksonException jackson) {
			jackson.getPath().forEach((step) -> cause.addStep(step.from(), step.getPropertyName(), step.getIndex()));
			cause.setLocation(jackson);
		}
		if (error instanceof PropertyBindingException) {
			cause.hideLastStep();
		}
		if (error instanceof MismatchedInputException mismatch) {
			cause.setExpected(mismatch.getTargetType());
		}
		if (error instanceof InvalidDefinitionException definition && definition.getType() != null) {
			cause.setUnhandled(definition.getType().getRawClass());
		}
		return cause.toString();
	}

	/** Refused when such a payload is written, not only when it is read. */
	private static final class ClassNamesRefused extends NopAnnotationIntrospector {

		private static final long serialVersionUID = 1L;

		@Override
		public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(MapperConfig<?> config, Annotated annotated) {
			RefusedPayloadException.requireNoClassNames(annotated.getAnnotation(JsonTypeInfo.class),
					annotated.getName());
			return null;
		}

	}

}
