package io.github.delayqueue.jackson;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Type;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.AnnotationIntrospector;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.PropertyBindingException;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import com.fasterxml.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import com.fasterxml.jackson.databind.jsontype.TypeResolverBuilder;
import com.fasterxml.jackson.databind.ser.std.BeanSerializerBase;
import org.jspecify.annotations.Nullable;

/**
 * Payloads by Jackson 2, as {@link JacksonPayloadMapper} does it by Jackson 3. Public for
 * wiring. Thread-safe.
 */
public final class Jackson2PayloadMapper extends AbstractJacksonMapper<ObjectReader> {

	private final ObjectMapper mapper;

	/**
	 * Create a mapper of payloads.
	 * @param mapper a safe and compact variant of it is used, and it is not changed
	 * @throws IllegalStateException if it is of a class of its own that does not override
	 * {@link ObjectMapper#copy()}
	 */
	public Jackson2PayloadMapper(ObjectMapper mapper) {
		this.mapper = mapper.copy();
		this.mapper.deactivateDefaultTyping();
		this.mapper.setPolymorphicTypeValidator(BasicPolymorphicTypeValidator.builder().build());
		this.mapper.setAnnotationIntrospectors(
				withoutClassNames(mapper.getSerializationConfig().getAnnotationIntrospector()),
				withoutClassNames(mapper.getDeserializationConfig().getAnnotationIntrospector()));
		this.mapper.disable(SerializationFeature.INDENT_OUTPUT);
	}

	private static AnnotationIntrospector withoutClassNames(AnnotationIntrospector introspector) {
		return AnnotationIntrospector.pair(new NoClassNames(), introspector);
	}

	@Override
	boolean write(OutputStream out, @Nullable Object value, @Nullable Type type) throws IOException {
		if (type != null) {
			this.mapper.writerFor(this.mapper.constructType(type)).writeValue(out, value);
		}
		else {
			this.mapper.writeValue(out, value);
		}
		return false;
	}

	@Override
	ObjectReader newReader(Type type) {
		return this.mapper.readerFor(this.mapper.constructType(type));
	}

	@Override
	public @Nullable Object read(byte[] json, int offset, int length, Type type) throws IOException {
		try {
			return reader(type).readValue(json, offset, length);
		}
		catch (JsonMappingException ex) {
			// Jackson 3 wraps none: a class that is not there is no fault of the payload
			if (ex.getCause() instanceof Error error) {
				throw error;
			}
			throw ex;
		}
	}

	@Override
	public tools.jackson.core.StreamReadConstraints limits() {
		StreamReadConstraints limits = this.mapper.getFactory().streamReadConstraints();
		return tools.jackson.core.StreamReadConstraints.builder()
			.maxDocumentLength(limits.getMaxDocumentLength())
			.maxNameLength(limits.getMaxNameLength())
			.maxNestingDepth(limits.getMaxNestingDepth())
			.maxNumberLength(limits.getMaxNumberLength())
			.maxStringLength(limits.getMaxStringLength())
			.maxTokenCount(limits.getMaxTokenCount())
			.build();
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
			return this.mapper.getSerializerProviderInstance().findValueSerializer(type) instanceof BeanSerializerBase;
		}
		catch (JsonMappingException | RuntimeException ex) {
			// what cannot be written is refused in its own words
			return false;
		}
	}

	@Override
	boolean hidesState(Class<?> type) {
		if (JsonSerializable.class.isAssignableFrom(type)) {
			return false;
		}
		SerializationConfig config = this.mapper.getSerializationConfig();
		BeanDescription bean = config.introspect(config.constructType(type));
		return bean.findProperties().isEmpty() && bean.findAnyGetter() == null && bean.findJsonValueAccessor() == null;
	}

	@Override
	public String describe(Throwable error) {
		ReadableCause cause = new ReadableCause(error);
		if (error instanceof JsonMappingException mapping) {
			mapping.getPath().forEach((step) -> cause.addStep(step.getFrom(), step.getFieldName(), step.getIndex()));
		}
		if (error instanceof JsonProcessingException json && json.getLocation() != null) {
			cause.setLocation(json.getLocation().getLineNr(), json.getLocation().getColumnNr());
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

	/** Jackson 2 looks for the annotation at more places than Jackson 3. */
	private static final class NoClassNames extends NopAnnotationIntrospector {

		private static final long serialVersionUID = 1L;

		@Override
		public @Nullable TypeResolverBuilder<?> findTypeResolver(MapperConfig<?> config, AnnotatedClass annotated,
				JavaType type) {
			return requireNone(annotated);
		}

		@Override
		public @Nullable TypeResolverBuilder<?> findPropertyTypeResolver(MapperConfig<?> config,
				AnnotatedMember annotated, JavaType type) {
			return requireNone(annotated);
		}

		@Override
		public @Nullable TypeResolverBuilder<?> findPropertyContentTypeResolver(MapperConfig<?> config,
				AnnotatedMember annotated, JavaType type) {
			return requireNone(annotated);
		}

		private static <T> @Nullable T requireNone(Annotated annotated) {
			RefusedPayloadException.requireNoClassNames(annotated.getAnnotation(JsonTypeInfo.class),
					annotated.getName());
			return null;
		}

	}

}
