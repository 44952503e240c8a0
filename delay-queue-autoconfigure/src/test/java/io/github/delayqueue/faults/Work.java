package io.github.delayqueue.faults;

/**
 * The payload of the suite's tasks.
 *
 * @param send the call that scheduled it: tells apart what was scheduled under one id
 * @param plan what the handler is to do, as text
 */
record Work(String send, String plan) {

}
