// The drawings: a line over the last minutes, bars by remaining delay, and bars of what falls due when.

import { h, svg } from './dom.js';
import { count, date, duration, hour, millis } from './format.js';
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

/** What falls due when, with a sentence for the highest bar, and as a table. */
export function ahead({ range, bars, highest, step, complete }) {
	const sum = (tasks) => count(tasks) + (complete ? '' : '+');
	const when = ({ start }) => {
		const end = Date.parse(start) + millis(step);
		return (range === 'month') ? date(start) : hour(start) + ((range === 'day') ? `–${hour(end)}` : '');
	};
	const one = highest?.tasks === 1 && complete;
	const peak = !highest ? t('nothingAhead')
		: t((range === 'month') ? (one ? 'oneDueOnDay' : 'dueOnDay') : (one ? 'oneDueAtTime' : 'dueAtTime'),
			sum(highest.tasks), when(highest));
	const scale = (HEIGHT - 1) / (highest?.tasks ?? 1);
	const height = (tasks) => (tasks > 0) ? Math.max(1, tasks * scale) : 0;
	return h('figure.chart.ahead', { 'data-key': range },
		h('figcaption', {}, h('p.peak', {}, peak)),
		svg('svg', { 'viewBox': `0 0 ${bars.length} ${HEIGHT}`, 'preserveAspectRatio': 'none', 'role': 'img', 'aria-label': peak },
			bars.map(({ tasks }, i) => svg('rect', {
				x: i + 0.1, width: 0.8, y: (HEIGHT - height(tasks)).toFixed(1), height: height(tasks).toFixed(1)
			}))),
		h('div.axis', {}, h('span', {}, t('now')), h('span', {}, highest && t('top', sum(highest.tasks))),
			h('span', {}, when(bars.at(-1)))),
		highest && h('details', {}, h('summary', {}, t('asTable')),
			h('table', {}, h('tbody', {}, bars.filter(({ tasks }) => tasks > 0).map((bar) => h('tr', {},
				h('th', { scope: 'row' }, when(bar)), h('td', {}, sum(bar.tasks))))))));
}

/** A bar for what falls due within each time. */
export function dues(delays) {
	const top = Math.max(...delays.map(({ tasks }) => tasks), 1);
	return svg('svg.dues', { 'viewBox': `0 0 ${delays.length} ${HEIGHT}`, 'preserveAspectRatio': 'none', 'role': 'img',
		'aria-label': delays.map(({ below, tasks }) => `${t('under', duration(millis(below)))}: ${count(tasks)}`).join(', ') },
	delays.map(({ below, tasks }, i) => svg('rect', { x: i + 0.05, width: 0.9, y: HEIGHT - 2 - tasks * (HEIGHT - 2) / top, height: 2 + tasks * (HEIGHT - 2) / top },
		svg('title', {}, `${t('under', duration(millis(below)))}: ${count(tasks)}`))));
}
