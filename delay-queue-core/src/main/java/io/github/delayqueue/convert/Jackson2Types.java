package io.github.delayqueue.convert;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Type;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Set;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.deser.AbstractDeserializer;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBase;
import com.fasterxml.jackson.databind.deser.DefaultDeserializationContext;
import com.fasterxml.jackson.databind.deser.SettableBeanProperty;
import com.fasterxml.jackson.databind.deser.ValueInstantiator;
import com.fasterxml.jackson.databind.deser.impl.FailingDeserializer;
import com.fasterxml.jackson.databind.deser.impl.UnsupportedTypeDeserializer;
import com.fasterxml.jackson.databind.deser.std.ContainerDeserializerBase;
import com.fasterxml.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import com.fasterxml.jackson.databind.jsonFormatVisitors.JsonObjectFormatVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Types as Jackson 2 sees them.
 */
record Jackson2Types(ObjectMapper mapper) implements TypeObjections.Look {

	@Override
	public void write(OutputStream out, @Nullable Object value, @Nullable Type type) throws IOException {
		if (type != null) {
			this.mapper.writerFor(this.mapper.constructType(type)).writeValue(out, value);
		}
		else {
			this.mapper.writeValue(out, value);
		}
	}

	@Override
	public JsonTypeInfo.@Nullable Value typeInfo(Class<?> type) {
		SerializationConfig config = this.mapper.getSerializationConfig();
		return config.getAnnotationIntrospector()
			.findPolymorphicTypeInfo(config,
					config.introspectClassAnnotations(config.constructType(type)).getClassInfo());
	}

	@Override
	public @Nullable String objection(Type type, boolean deep) {
		try {
			DeserializationContext context = ((DefaultDeserializationContext) this.mapper.getDeserializationContext())
				.createDummyInstance(this.mapper.getDeserializationConfig());
			JavaType javaType = this.mapper.constructType(type);
			return objection(context.findRootValueDeserializer(javaType), context, deep,
					Collections.newSetFromMap(new IdentityHashMap<>()));
		}
		catch (JsonProcessingException ex) {
			return ex.getOriginalMessage();
		}
		catch (IOException | RuntimeException ex) {
			return ex.getMessage();
		}
	}

	private @Nullable String objection(@Nullable JsonDeserializer<?> deserializer, DeserializationContext context,
			boolean deep, Set<Object> seen) throws IOException {
		if (deserializer == null || !seen.add(deserializer)) {
			return null;
		}
		if (deserializer instanceof AbstractDeserializer) {
			return TypeObjections.isAbstract(deserializer.handledType());
		}
		if (deserializer instanceof UnsupportedTypeDeserializer || deserializer instanceof FailingDeserializer) {
			// says why when it is asked
			try (JsonParser json = this.mapper.createParser("{}")) {
				json.nextToken();
				deserializer.deserialize(json, context);
			}
			return null;
		}
		if (deserializer instanceof ContainerDeserializerBase<?> container) {
			JsonDeserializer<?> content = container.getContentDeserializer();
			// of the content itself it would not be known whether ids tell its subtypes
			// apart
			return objection(
					(content instanceof AbstractDeserializer)
							? context.findRootValueDeserializer(container.getContentType()) : content,
					context, deep, seen);
		}
		if (!(deserializer instanceof BeanDeserializerBase bean)) {
			return null;
		}
		ValueInstantiator instantiator = bean.getValueInstantiator();
		boolean creatable = instantiator.canCreateUsingDefault() || instantiator.canCreateUsingDelegate()
				|| instantiator.canCreateFromObjectWith();
		if (!creatable && (isBean(bean.handledType()) || !instantiator.canInstantiate())) {
			return TypeObjections.noCreator(bean.handledType());
		}
		for (Iterator<SettableBeanProperty> properties = bean.properties(); deep && properties.hasNext();) {
			SettableBeanProperty property = properties.next();
			boolean typed = property.hasValueTypeDeserializer() || property.getAnnotation(JsonTypeInfo.class) != null;
			String found = typed ? null : objection(property.getValueDeserializer(), context, true, seen);
			if (found != null) {
				return "of property '" + property.getName() + "': " + found;
			}
		}
		return null;
	}

	@Override
	public boolean isBean(Class<?> type) {
		boolean[] bean = new boolean[1];
		try {
			this.mapper.acceptJsonFormatVisitor(this.mapper.constructType(type), new JsonFormatVisitorWrapper.Base() {
				@Override
				public @Nullable JsonObjectFormatVisitor expectObjectFormat(JavaType ofType) {
					bean[0] = true;
					return null;
				}
			});
		}
		catch (JsonMappingException | RuntimeException ex) {
			// what cannot be written is refused in its own words
			return false;
		}
		return bean[0];
	}

	@Override
	public boolean hidesState(Class<?> type) {
		SerializationConfig config = this.mapper.getSerializationConfig();
		BeanDescription bean = config.introspect(config.constructType(type));
		return bean.findProperties().isEmpty() && bean.findAnyGetter() == null && bean.findJsonValueAccessor() == null;
	}

}
