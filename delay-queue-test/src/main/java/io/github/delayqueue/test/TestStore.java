package io.github.delayqueue.test;

import org.springframework.aop.framework.AopInfrastructureBean;

import io.github.delayqueue.store.memory.InMemoryTaskStore;

/** Where the tasks of a test are kept. No store itself: there is one such bean. */
record TestStore(InMemoryTaskStore store) implements AopInfrastructureBean {

}
