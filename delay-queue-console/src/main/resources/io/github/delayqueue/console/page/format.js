// Numbers, durations and times for people.

import { language, t } from './messages.js';

const integers = new Intl.NumberFormat(language);
const decimals = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
const times = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });

const distances = new Intl.RelativeTimeFormat(language);

const hours = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const dates = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' });
const weekdays = new Intl.DateTimeFormat(language, { weekday: 'short' });
const percents = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 });

/** That of the browser, in which all times are shown. */
export const zone = times.resolvedOptions().timeZone;

export function count(value) {
	return integers.format(value ?? 0);
}

/** How many tasks: of those in the database only the server counts so many at most. */
export function tasks(value, queue) {
	return count(value) + ((queue.inDatabaseOnly >= 10000) ? '+' : '');
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

const UNITS = [['days', 86_400_000], ['hours', 3_600_000], ['minutes', 60_000], ['seconds', 1000]];

/** 3 d 4 h, 12 min 5 s, 1.2 s, 45 ms: two units at most. */
export function duration(ms) {
	if (ms < 1000) {
		return `${Math.round(ms)} ${t('milliseconds')}`;
	}
	if (ms < 60_000) {
		return `${decimals.format(ms / 1000)} ${t('seconds')}`;
	}
	const first = UNITS.findIndex(([, size]) => ms >= size);
	const [unit, size] = UNITS[first];
	const [smaller, smallerSize] = UNITS[first + 1];
	const rest = Math.floor((ms % size) / smallerSize);
	return `${count(Math.floor(ms / size))} ${t(unit)}` + ((rest > 0) ? ` ${rest} ${t(smaller)}` : '');
}

/** What no calendar knows is shown as it is. */
export function time(instant) {
	const at = Date.parse(instant);
	return Number.isNaN(at) ? instant || '–' : times.format(at);
}

/** Time of day, without seconds. */
export function hour(instant) {
	return hours.format(new Date(instant));
}

/** Time of day, and the day if it is not within the next day. */
export function moment(instant) {
	const ahead = Date.parse(instant) - Date.now();
	if (Number.isNaN(ahead)) {
		return instant;
	}
	return (ahead >= 0 && ahead < 86_400_000) ? hour(instant) : `${date(instant)}, ${hour(instant)}`;
}

/** Day and month. */
export function date(instant) {
	return dates.format(new Date(instant));
}

/** Day of the week. */
export function day(instant) {
	return weekdays.format(new Date(instant));
}

/** A share, 0 to 1. */
export function percent(share) {
	return percents.format(share);
}

/** The same without fractions. */
export function share(part) {
	return (part < 0.005) ? `<${percents.format(0.01)}` : percents.format(Math.round(100 * part) / 100);
}

/** "in 5 minutes" or "5 minutes ago", by this computer's clock: in the largest unit of which there are two. */
export function distance(instant) {
	const ms = Date.parse(instant) - Date.now();
	if (Number.isNaN(ms)) {
		return '';
	}
	if (Math.abs(ms) < 1000) {
		return t('now');
	}
	const [unit, size] = UNITS.find(([, each]) => Math.abs(ms) >= 2 * each) ?? UNITS.at(-1);
	return distances.format(Math.round(ms / size), unit);
}

/** The last part of a class name. */
export function simpleName(type) {
	return /[^.$]*(\$\d+[^.$]*)*$/.exec(type ?? '')[0];
}

const MOST_INDENTED = 100_000;
const DEEPEST = 50;
const TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*"|\{\s*\}|\[\s*\]|\s+|[[\]{},:]/g;

/**
 * JSON with line breaks. All else stays as it was written: numbers that JavaScript would round, the order of names,
 * names that are there twice.
 */
export function indented(json) {
	let depth = 0;
	let deepest = 0;
	const line = (by) => {
		depth += by;
		deepest = Math.max(deepest, depth);
		return '\n' + '  '.repeat(Math.max(0, Math.min(depth, DEEPEST)));
	};
	const text = (json.length > MOST_INDENTED) ? json : json.replace(TOKEN, (token) => {
		switch (token) {
			case '{': case '[': return token + line(1);
			case '}': case ']': return line(-1) + token;
			case ',': return token + line(0);
			case ':': return ': ';
			default: return token.startsWith('"') ? token : token.replace(/\s+/g, '');
		}
	});
	return (deepest > DEEPEST) ? json : text;
}
