package com.example.shop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

import io.github.delayqueue.config.EnableDelayQueue;

@SpringBootApplication
@EnableDelayQueue
public class Shop {

	public static void main(String[] args) {
		SpringApplication.run(Shop.class, args);
	}

}
