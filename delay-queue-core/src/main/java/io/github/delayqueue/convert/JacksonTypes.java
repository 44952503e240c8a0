package io.github.delayqueue.convert;

import java.io.OutputStream;
import java.lang.reflect.Type;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Set;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.AbstractDeserializer;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.impl.FailingDeserializer;
import tools.jackson.databind.deser.impl.UnsupportedTypeDeserializer;
import tools.jackson.databind.deser.std.ContainerDeserializerBase;
import tools.jackson.databind.introspect.ClassIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import tools.jackson.databind.jsonFormatVisitors.JsonObjectFormatVisitor;

/**
 * Types as Jackson 3 sees them.
 */
record JacksonTypes(JsonMapper mapper) implements TypeObjections.Look {

	@Override
	public void write(OutputStream out, @Nullable Object value, @Nullable Type type) {
		if (type != null) {
			this.mapper.writerFor(this.mapper.constructType(type)).writeValue(out, value);
		}
		else {
			this.mapper.writeValue(out, value);
		}
	}

	@Override
	public JsonTypeInfo.@Nullable Value typeInfo(Class<?> type) {
		SerializationConfig config = this.mapper.serializationConfig();
		return config.getAnnotationIntrospector()
			.findPolymorphicTypeInfo(config,
					config.classIntrospectorInstance().introspectClassAnnotations(config.constructType(type)));
	}

	@Override
	public @Nullable String objection(Type type, boolean deep) {
		try {
			DeserializationContext context = this.mapper._deserializationContext();
			JavaType javaType = this.mapper.constructType(type);
			return objection(context.findRootValueDeserializer(javaType), context, deep,
					Collections.newSetFromMap(new IdentityHashMap<>()));
		}
		catch (JacksonException ex) {
			return ex.getOriginalMessage();
		}
		catch (RuntimeException ex) {
			return ex.getMessage();
		}
	}

	private @Nullable String objection(@Nullable ValueDeserializer<?> deserializer, DeserializationContext context,
			boolean deep, Set<Object> seen) {
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
			ValueDeserializer<?> content = container.getContentDeserializer();
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
			this.mapper.acceptJsonFormatVisitor(type, new JsonFormatVisitorWrapper.Base() {
				@Override
				public @Nullable JsonObjectFormatVisitor expectObjectFormat(JavaType ofType) {
					bean[0] = true;
					return null;
				}
			});
		}
		catch (RuntimeException ex) {
			// what cannot be written is refused in its own words
			return false;
		}
		return bean[0];
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
