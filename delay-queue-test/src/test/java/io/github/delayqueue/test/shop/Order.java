package io.github.delayqueue.test.shop;

record Order(String number, String item) {

}
