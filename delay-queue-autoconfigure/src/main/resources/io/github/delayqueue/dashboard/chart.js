// The two drawings: a line over the last minutes, and bars by remaining delay.

import { h, svg } from './dom.js';
import { count, duration } from './format.js';
import { rate, series, span } from './history.js';
import { t } from './messages.js';

const WIDTH = 300;
const HEIGHT = 40;

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

/** Bars of [label, number]. */
export function histogram(bars) {
	const top = Math.max(...bars.map(([, value]) => value), 1);
	return h('table.histogram', {}, h('tbody', {}, bars.map(([label, value]) => h('tr', {},
		h('th', { scope: 'row' }, label),
		h('td.bar', {}, svg('svg', { width: '100%', height: 12, 'aria-hidden': 'true' },
			svg('rect', { width: `${(value > 0) ? Math.max(0.5, value * 100 / top) : 0}%`, height: 12, rx: 2 }))),
		h('td.number', {}, count(value))))));
}
