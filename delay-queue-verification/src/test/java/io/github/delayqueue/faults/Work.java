package io.github.delayqueue.faults;

/**
 * The payload of the suite's tasks.
 *
 * @param send the call that scheduled it: tells apart what was scheduled under one id
 * @param plan what the handler is to do, as text
 * @param ballast what makes some of them large
 */
public record Work(String send, String plan, String ballast) {

}
