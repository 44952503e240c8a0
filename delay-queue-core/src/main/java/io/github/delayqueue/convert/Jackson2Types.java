package io.github.delayqueue.convert;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Type;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.ser.std.BeanSerializerBase;
import org.jspecify.annotations.Nullable;

/** Types as Jackson 2 sees them. */
record Jackson2Types(ObjectMapper mapper) implements TypeObjections.Look {

	@Override
	public boolean write(OutputStream out, @Nullable Object value, @Nullable Type type) throws IOException {
		if (type != null) {
			this.mapper.writerFor(this.mapper.constructType(type)).writeValue(out, value);
		}
		else {
			this.mapper.writeValue(out, value);
		}
		return false;
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
		catch (IOException | RuntimeException | LinkageError ex) {
			// what has content may be read
			return null;
		}
		return null;
	}

	@Override
	public boolean isBean(Class<?> type) {
		try {
			return this.mapper.getSerializerProviderInstance().findValueSerializer(type) instanceof BeanSerializerBase;
		}
		catch (JsonMappingException | RuntimeException ex) {
			// what cannot be written is refused in its own words
			return false;
		}
	}

	@Override
	public boolean hidesState(Class<?> type) {
		SerializationConfig config = this.mapper.getSerializationConfig();
		BeanDescription bean = config.introspect(config.constructType(type));
		return bean.findProperties().isEmpty() && bean.findAnyGetter() == null && bean.findJsonValueAccessor() == null;
	}

}
