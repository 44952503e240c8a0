// The drawings: a line over the last minutes, and bars, whose values can be read by pointer and keyboard.

import { h, svg } from './dom.js';
import { count, date, duration, hour, millis } from './format.js';
import { rate, series, span } from './history.js';
import { t } from './messages.js';

const WIDTH = 300;
const HEIGHT = 40;

/** What the bars of drawings say, and which one is read. */
const said = new Map();
let reading = {};

/** Bars of the same width; nothing is known of what is undefined, and nothing drawn of what is null. */
export function bars(values, height, titles = []) {
	const top = Math.max(1, ...values.map((value) => value ?? 0));
	const size = (value) => (value > 0) ? Math.max(1, value * (height - 1) / top) : 0;
	return values.map((value, at) => (value === undefined) ? svg('rect.unknown', { x: at, width: 1, y: 0, height })
		: value !== null && svg('rect', { x: at + 0.05, width: 0.9, y: (height - size(value)).toFixed(1), height: size(value).toFixed(1) },
			titles[at] && svg('title', {}, titles[at])));
}

/** A drawing of bars, and below it what one of them says: that under the pointer, or one gone to by arrow keys, from the start. */
export function readable(key, label, texts, start, ...drawing) {
	said.set(key, texts);
	const at = (reading.key === key && reading.at < texts.length) ? reading.at : null;
	return h('div.readable', { 'data-key': key },
		h('div', {}, drawing,
			svg('svg.cursor', { 'viewBox': `0 0 ${texts.length} 1`, 'preserveAspectRatio': 'none', 'aria-hidden': 'true' }, svg('rect', { x: at ?? -1, width: 1, height: 1 })),
			h('input', { 'type': 'range', 'min': 0, 'max': texts.length - 1, 'value': at ?? start, 'data-reads': key, 'aria-label': label, 'aria-valuetext': texts[at ?? start] })),
		h('p.value', { 'aria-hidden': 'true' }, at !== null && texts[at]));
}

export function listenToReaders(view) {
	const read = (field, at) => {
		reading = { key: field.dataset.reads, at };
		const text = said.get(reading.key)[at];
		const [cursor, line] = field.closest('.readable').querySelectorAll('.cursor rect, .value');
		field.value = at;
		field.setAttribute('aria-valuetext', text);
		cursor.setAttribute('x', at);
		line.textContent = text;
	};
	view.addEventListener('input', ({ target }) => target.dataset.reads && read(target, Number(target.value)));
	view.addEventListener('pointermove', ({ target, offsetX }) => target.dataset.reads
		&& read(target, Math.max(0, Math.min(Number(target.max), Math.floor(offsetX * (Number(target.max) + 1) / target.clientWidth)))));
}

/** A line of the last minutes that ends now, at the right; the largest value is at the top. */
export function sparkline(queue, what, label, format) {
	const points = series(queue, what);
	const top = Math.max(...points.map(([, value]) => value), 0);
	const scale = (HEIGHT - 3) / (top || 1);
	const seconds = span(queue);
	const x = (ago) => (WIDTH - ago * WIDTH / seconds).toFixed(1);
	const line = points.map(([ago, value]) => `${x(ago)},${(HEIGHT - 1.5 - value * scale).toFixed(1)}`);
	const first = points.length ? x(points[0][0]) : WIDTH;
	const drawing = svg('svg.sparkline', {
		viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img',
		'aria-label': t('chart', label, duration(seconds * 1000), format(top))
	});
	if (line.length > 1) {
		drawing.append(svg('polygon', { points: [`${first},${HEIGHT}`, ...line, `${WIDTH},${HEIGHT}`].join(' ') }),
			svg('polyline', { points: line.join(' ') }));
	}
	return drawing;
}

/** A larger one with its present value and its top. */
export function chart(queue, what, label, format) {
	const values = series(queue, what).map(([, value]) => value);
	const present = (what === 'waiting' || what === 'overdue') ? values.at(-1) ?? null : rate(queue, what);
	return h('figure.chart', {},
		h('figcaption', {}, h('span', {}, label), h('strong', {}, present === null ? '–' : format(present))),
		sparkline(queue, what, label, format),
		h('div.axis', {}, h('span', {}, t('ago', duration(span(queue) * 1000))), h('span', {}, t('top', format(Math.max(...values, 0)))),
			h('span', {}, t('now'))));
}

/** What falls due when, with a sentence for the highest bar, and as a table. */
export function ahead({ range, bars: all, highest, step, complete }) {
	const sum = (tasks) => count(tasks) + (complete ? '' : '+');
	const when = ({ start }) => {
		const end = Date.parse(start) + millis(step);
		return (range === 'month') ? date(start) : hour(start) + ((range === 'day') ? `–${hour(end)}` : '');
	};
	const one = highest?.tasks === 1 && complete;
	const peak = !highest ? t('nothingAhead')
		: t((range === 'month') ? (one ? 'oneDueOnDay' : 'dueOnDay') : (one ? 'oneDueAtTime' : 'dueAtTime'),
			sum(highest.tasks), when(highest));
	return h('figure.chart.ahead', { 'data-key': range },
		h('figcaption', {}, h('p.peak', {}, peak)),
		readable('ahead', t('fallsDue'), all.map((bar) => `${when(bar)}: ${sum(bar.tasks)}`), 0,
			svg('svg', { 'viewBox': `0 0 ${all.length} ${HEIGHT}`, 'preserveAspectRatio': 'none', 'role': 'img', 'aria-label': peak }, bars(all.map(({ tasks }) => tasks), HEIGHT))),
		h('div.axis', {}, h('span', {}, t('now')), h('span', {}, highest && t('top', sum(highest.tasks))),
			h('span', {}, when(all.at(-1)))),
		highest && h('details', {}, h('summary', {}, t('asTable')),
			h('table', {}, h('tbody', {}, all.filter(({ tasks }) => tasks > 0).map((bar) => h('tr', {},
				h('th', { scope: 'row' }, when(bar)), h('td', {}, sum(bar.tasks))))))));
}

/** Something that has happened, has to, or goes on, of which its end and its length are known. */
export function step(kind, at, length, ...text) {
	const took = millis(length);
	return { kind, start: Date.parse(at) - took, end: Date.parse(at), took, text };
}

/** Steps as a line of time. */
export function timeline(steps) {
	const from = Math.min(...steps.map(({ start }) => start));
	const scale = 990 / Math.max(1, ...steps.map(({ end }) => end - from));
	return svg('svg.story', { 'viewBox': '0 0 1000 12', 'preserveAspectRatio': 'none', 'aria-hidden': 'true' },
		svg('rect', { x: 0, y: 5, width: 1000, height: 2 }),
		steps.map(({ kind, start, end }) => svg(`rect.${kind}`, { x: (start - from) * scale, y: 0, width: Math.max(6, (end - start) * scale), height: 12 })));
}

/** A bar for what falls due within each time. */
export function dues(delays) {
	const texts = delays.map(({ below, tasks }) => `${t('under', duration(millis(below)))}: ${count(tasks)}`);
	return svg('svg.dues', { 'viewBox': `0 0 ${delays.length} ${HEIGHT}`, 'preserveAspectRatio': 'none', 'role': 'img', 'aria-label': texts.join(', ') },
		bars(delays.map(({ tasks }) => tasks), HEIGHT, texts));
}
