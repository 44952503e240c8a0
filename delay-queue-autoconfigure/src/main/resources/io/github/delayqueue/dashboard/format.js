// Numbers, durations and times for people.

import { language, t } from './messages.js';

const integers = new Intl.NumberFormat(language);
const decimals = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
const times = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });

export function count(value) {
	return integers.format(value ?? 0);
}

/** Tasks per second. */
export function rate(value) {
	return (value >= 100) ? integers.format(Math.round(value)) : decimals.format(value);
}

/** Milliseconds of a duration as Java writes it: PT1H2M3.5S. */
export function millis(duration) {
	const parts = /^(-)?PT(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?[\d.]+)S)?$/.exec(duration ?? '');
	if (!parts) {
		return 0;
	}
	const [, minus, hours, minutes, seconds] = parts;
	const sum = Number(hours ?? 0) * 3_600_000 + Number(minutes ?? 0) * 60_000 + Number(seconds ?? 0) * 1000;
	return minus ? -sum : sum;
}

const UNITS = [['d', 86_400_000], ['h', 3_600_000], ['min', 60_000], ['s', 1000]];

/** 3 d 4 h, 12 min 5 s, 1.2 s, 45 ms: two units at most. */
export function duration(ms) {
	if (ms < 1000) {
		return `${Math.round(ms)} ms`;
	}
	if (ms < 60_000) {
		return `${decimals.format(ms / 1000)} s`;
	}
	const first = UNITS.findIndex(([, size]) => ms >= size);
	const [unit, size] = UNITS[first];
	const [smaller, smallerSize] = UNITS[first + 1];
	const rest = Math.floor((ms % size) / smallerSize);
	return `${Math.floor(ms / size)} ${unit}` + ((rest > 0) ? ` ${rest} ${smaller}` : '');
}

export function time(instant) {
	return instant ? times.format(new Date(instant)) : '–';
}

/** "in 5 min" or "5 min ago", by this computer's clock. */
export function distance(instant) {
	if (!instant) {
		return '';
	}
	const ms = new Date(instant) - Date.now();
	if (Math.abs(ms) < 1000) {
		return t('now');
	}
	return (ms >= 0) ? t('in', duration(ms)) : t('ago', duration(-ms));
}

/** The last part of a class name. */
export function simpleName(type) {
	return type ? type.slice(type.lastIndexOf('.') + 1) : '';
}
