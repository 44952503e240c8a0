package io.github.delayqueue.convert;

import java.io.OutputStream;
import java.lang.reflect.Type;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.introspect.ClassIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.ser.bean.BeanSerializerBase;

/** Types as Jackson 3 sees them. */
record JacksonTypes(JsonMapper mapper, ObjectWriter writer, boolean plain) implements TypeObjections.Look {

	JacksonTypes(JsonMapper mapper) {
		this(mapper, mapper.writer(), PlainJsonGenerator.isWrittenBy(mapper));
	}

	@Override
	public boolean write(OutputStream out, @Nullable Object value, @Nullable Type type) {
		ObjectWriter writer = (type != null) ? this.mapper.writerFor(this.mapper.constructType(type)) : this.writer;
		try (PlainJsonGenerator json = new PlainJsonGenerator(writer.createGenerator(out))) {
			writer.writeValue(json, value);
			return this.plain && json.isPlain();
		}
	}

	@Override
	public @Nullable String objection(Type type, String sample) {
		try {
			this.mapper.readValue(sample, this.mapper.constructType(type));
		}
		catch (InvalidDefinitionException ex) {
			return ex.getOriginalMessage();
		}
		catch (MismatchedInputException ex) {
			return TypeObjections.hasNoCreator(ex.getOriginalMessage()) && isBean(ex.getTargetType())
					? ex.getOriginalMessage() : null;
		}
		catch (RefusedPayloadException ex) {
			return ex.getMessage();
		}
		catch (RuntimeException | LinkageError ex) {
			// what has content may be read
			return null;
		}
		return null;
	}

	@Override
	public boolean isBean(Class<?> type) {
		try {
			return this.mapper._serializationContext().findValueSerializer(type) instanceof BeanSerializerBase;
		}
		catch (RuntimeException ex) {
			// what cannot be written is refused in its own words
			return false;
		}
	}

	@Override
	public boolean hidesState(Class<?> type) {
		SerializationConfig config = this.mapper.serializationConfig();
		ClassIntrospector introspector = config.classIntrospectorInstance();
		JavaType javaType = config.constructType(type);
		BeanDescription bean = introspector.introspectForSerialization(javaType,
				introspector.introspectClassAnnotations(javaType));
		return bean.findProperties().isEmpty() && bean.findAnyGetter() == null && bean.findJsonValueAccessor() == null;
	}

}
