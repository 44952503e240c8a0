package com.example.shop;

record Order(String number, String item) {

}
