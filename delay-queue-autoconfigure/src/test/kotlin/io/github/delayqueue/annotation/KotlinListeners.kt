package io.github.delayqueue.annotation

data class KotlinOrder(val number: String, val items: List<String> = emptyList())
