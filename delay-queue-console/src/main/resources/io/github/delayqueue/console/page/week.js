// What has happened in a queue by the hour, over seven days.

import { bars, readable } from './chart.js';
import { h, heads, svg } from './dom.js';
import { count, date, day, duration, hour, millis, percent } from './format.js';
import { t } from './messages.js';

const HOUR = 3_600_000;
const ROWS = [['completed', 36], ['retried', 12], ['deadLettered', 12]];

/** Three rows of bars, one for each hour, with marks where instances have started, with a sentence, and as a table. */
export function week(history, instances) {
	if (!history) {
		return h('p.empty', {}, t('noHistory'));
	}
	const from = Date.parse(history.from);
	const hours = history.hours.map((each) => ({ ...each, at: Math.round((Date.parse(each.start) - from) / HOUR) }));
	const width = Math.max(Math.floor((Date.now() - from) / HOUR), hours.at(-1)?.at ?? 0) + 1;
	const sentence = said(hours, width);
	const starts = startsOf(instances, from, HOUR);
	return h('figure.chart.week', {},
		readable('week', t('lastWeek'), Array.from({ length: width }, (_, at) => `${day(from + at * HOUR)} ${hour(from + at * HOUR)}: ${[told(hours.find((each) => each.at === at)), started(starts.get(at))].filter(Boolean).join(', ')}`), width - 1,
			ROWS.map(([what, height]) => h(`div.${what}`, { 'data-key': what },
				h('div.axis', {}, h('span', {}, t(`total_${what}`)), h('span', {}, t('top', count(Math.max(0, ...hours.map((each) => each[what])))))),
				drawn(hours, what, width, height)))),
		starts.size > 0 && marks([...starts].map(([at, some]) => [at + 0.5, '▲', started(some)]), width),
		days(from, width),
		h('figcaption', {}, h('p.peak', {}, sentence)),
		hours.length > 0 && h('details', {}, h('summary', {}, t('asTable')), table(hours)));
}

function ended(hours) {
	return hours.reduce((sum, { completed, retried, deadLettered }) => sum + completed + retried + deadLettered, 0);
}

function share(hours) {
	const all = ended(hours);
	return percent((all > 0) ? Math.min(1, hours.reduce((sum, { late }) => sum + late, 0) / all) : 0);
}

function mean(hours) {
	const all = ended(hours);
	return all > 0 && duration(hours.reduce((sum, each) => sum + millis(each.meanHandling) * ended([each]), 0) / all);
}

function said(hours, width) {
	const last = hours.at(-1);
	return !mean(hours) ? t('nothingHandled') : [t('lateShare', share(hours), share((last.at === width - 1) ? [last] : [])),
		t('meanHandling', mean(hours)), (hours.length < width - hours[0].at) ? t('nobodyClaimed') : ''].join(' ');
}

/** One hour. */
function told(each) {
	return !each ? t('noHistory') : [...ROWS.map(([what]) => `${t(`total_${what}`)} ${count(each[what])}`),
		ended([each]) > 0 && `${t('late')} ${share([each])}, ${t('handlerTook')} ${mean([each])}`].filter(Boolean).join(', ');
}

// An hour of which nothing is known, because nobody has claimed in it, is no hour in which nothing has happened
function drawn(hours, what, width, height) {
	const of = new Map(hours.map((each) => [each.at, each[what] || null]));
	return svg('svg', { 'viewBox': `0 0 ${width} ${height}`, 'preserveAspectRatio': 'none', 'aria-hidden': 'true' },
		bars(Array.from({ length: width }, (_, at) => (of.has(at) || at < (hours[0]?.at ?? width)) ? of.get(at) ?? null : undefined), height));
}

function days(from, width) {
	const midnights = Array.from({ length: width }, (_, at) => at).filter((at) => new Date(from + at * HOUR).getHours() === 0);
	return marks(midnights.filter((at) => at < width - 6).map((at) => [at, day(from + at * HOUR)]), width);
}

function marks(texts, width) {
	return svg('svg.days', { width: '100%', height: 16, 'aria-hidden': 'true' },
		texts.map(([at, text, title]) => svg('text', { x: `${(100 * at / width).toFixed(1)}%`, y: 12, class: title && 'start' }, text, title && svg('title', {}, title))));
}

/** The instances that have started since some time, in each hour or minute in which any has. */
export function startsOf(instances, from, size) {
	return Map.groupBy(instances.filter(({ startedAt }) => Date.parse(startedAt) >= from), ({ startedAt }) => Math.floor((Date.parse(startedAt) - from) / size));
}

/** How many instances have started, of which versions of the application. */
export function started(instances) {
	const versions = [...new Set(instances?.map(({ applicationVersion }) => applicationVersion))].filter(Boolean).sort();
	return instances && t('instancesStarted', count(instances.length), versions.join(', ') || '–');
}

function table(hours) {
	return h('table', {}, heads('since', 'total_completed', 'total_retried', 'total_deadLettered', 'late', 'handlerTook'),
	h('tbody', {}, hours.filter((each) => ended([each]) > 0).reverse().map((each) => h('tr', {},
		h('th', { scope: 'row' }, `${date(each.start)}, ${hour(each.start)}`),
		ROWS.map(([what]) => h('td', {}, count(each[what]))),
		h('td', {}, share([each])), h('td', {}, mean([each]))))));
}
