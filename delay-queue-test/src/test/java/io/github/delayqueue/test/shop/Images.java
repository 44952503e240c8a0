package io.github.delayqueue.test.shop;

import io.github.delayqueue.testsupport.RedisImage;

/**
 * Images for the tests with containers.
 */
interface Images {

	String REDIS = RedisImage.name();

}
