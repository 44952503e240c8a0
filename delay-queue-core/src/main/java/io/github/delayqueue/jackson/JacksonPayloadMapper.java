package io.github.delayqueue.jackson;

import java.io.OutputStream;
import java.lang.reflect.Type;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JacksonSerializable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.PropertyBindingException;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.ClassIntrospector;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import tools.jackson.databind.ser.bean.BeanSerializerBase;

/**
 * Payloads by Jackson 3. Default typing of the given mapper is not used, and types
 * annotated to carry class names are refused, when written already. Public for wiring.
 * Thread-safe.
 */
public final class JacksonPayloadMapper extends AbstractJacksonMapper<ObjectReader> {

	private final JsonMapper mapper;

	private final ObjectWriter writer;

	private final boolean plain;

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
		this.writer = this.mapper.writer();
		this.plain = PlainJsonGenerator.isWrittenBy(this.mapper);
	}

	@Override
	boolean write(OutputStream out, @Nullable Object value, @Nullable Type type) {
		ObjectWriter writer = (type != null) ? this.mapper.writerFor(this.mapper.constructType(type)) : this.writer;
		try (PlainJsonGenerator json = new PlainJsonGenerator(writer.createGenerator(out))) {
			writer.writeValue(json, value);
			return this.plain && json.isPlain();
		}
	}

	@Override
	ObjectReader newReader(Type type) {
		return this.mapper.readerFor(this.mapper.constructType(type));
	}

	@Override
	public @Nullable Object read(byte[] json, int offset, int length, Type type) {
		return reader(type).readValue(json, offset, length);
	}

	@Override
	public StreamReadConstraints limits() {
		return this.mapper.tokenStreamFactory().streamReadConstraints();
	}

	@Override
	@Nullable String objection(Throwable error) {
		if (error instanceof InvalidDefinitionException definition) {
			return definition.getOriginalMessage();
		}
		return (error instanceof MismatchedInputException mismatch
				&& lacksCreator(mismatch.getOriginalMessage(), mismatch.getTargetType()))
						? mismatch.getOriginalMessage() : null;
	}

	@Override
	boolean isBean(Class<?> type) {
		try {
			return this.mapper._serializationContext().findValueSerializer(type) instanceof BeanSerializerBase;
		}
		catch (RuntimeException ex) {
			// what cannot be written is refused in its own words
			return false;
		}
	}

	@Override
	boolean hidesState(Class<?> type) {
		if (JacksonSerializable.class.isAssignableFrom(type)) {
			return false;
		}
		SerializationConfig config = this.mapper.serializationConfig();
		ClassIntrospector introspector = config.classIntrospectorInstance();
		JavaType javaType = config.constructType(type);
		BeanDescription bean = introspector.introspectForSerialization(javaType,
				introspector.introspectClassAnnotations(javaType));
		return bean.findProperties().isEmpty() && bean.findAnyGetter() == null && bean.findJsonValueAccessor() == null;
	}

	@Override
	public String describe(Throwable error) {
		ReadableCause cause = new ReadableCause(error);
		if (error instanceof JacksonException jackson) {
			jackson.getPath().forEach((step) -> cause.addStep(step.from(), step.getPropertyName(), step.getIndex()));
		}
		if (error instanceof JacksonException jackson && jackson.getLocation() != null) {
			cause.setLocation(jackson.getLocation().getLineNr(), jackson.getLocation().getColumnNr());
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
