package io.github.delayqueue.test.shop;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The whole application. */
@SpringBootApplication
class Shop {

}
