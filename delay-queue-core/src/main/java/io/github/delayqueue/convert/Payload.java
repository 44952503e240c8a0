package io.github.delayqueue.convert;

import java.lang.reflect.Type;

import org.jspecify.annotations.Nullable;

/**
 * The payload of a task, and its type. Public for wiring.
 *
 * @param value written as JSON
 * @param type as what it is written, {@code null} for the class that it is an object of.
 * That class says nothing of what a list or a map holds
 */
public record Payload(@Nullable Object value, @Nullable Type type) {

}
