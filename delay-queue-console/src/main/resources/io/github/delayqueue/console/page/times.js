// How long handlers took, and how late they began: how many within which time.

import { bars, readable } from './chart.js';
import { h, svg } from './dom.js';
import { count, duration, millis, moment, share } from './format.js';
import { queueLink } from './links.js';
import { t } from './messages.js';
import { started, startsOf } from './week.js';

const HEIGHT = 40;
const SPANS = { hour: 3_600_000, day: 86_400_000 };
const MINUTE = 60_000;
/** Of instances that have started, the last ones. */
const MOST_STARTS = 5;
/** Shares of all calls, of which it is said within which time they are. */
const HALF = 0.5;
const NEARLY_ALL = 0.99;

/** What was counted before a deployment is in the same bars as what was after it: so it is said when instances have started. */
export function times(name, all, span, more, instances) {
	const wanted = Object.hasOwn(SPANS, span) ? span : 'hour';
	const starts = [...startsOf(instances, Date.now() - SPANS[wanted], MINUTE)].sort(([one], [other]) => one - other);
	return !all ? h('p.empty', {}, t('noHistory')) : [
		h('nav.tabs', { 'aria-label': t('times') }, Object.keys(SPANS).map((each) => h('a', { 'href': queueLink(name, { ...more, span: each }), 'data-key': each,
			'aria-current': (each === wanted) ? 'page' : null }, t(`span_${each}`)))),
		h('div.charts', {}, ['handling', 'lateness'].map((what) => histogram(what, all[wanted][what]))),
		starts.slice(-MOST_STARTS).map(([, some]) => h('p.empty.start', {}, `▲ ${moment(some[0].startedAt)} – ${started(some)}`))];
}

function histogram(what, buckets) {
	const all = buckets.reduce((sum, { calls }) => sum + calls, 0);
	const bound = (i) => buckets[i].below ? t('under', duration(millis(buckets[i].below))) : t('over', duration(millis(buckets[i - 1].below)));
	const within = (part) => {
		let sum = 0;
		return bound(buckets.findIndex(({ calls }) => (sum += calls) >= part * all));
	};
	const sentence = (all > 0) ? t(`times_${what}`, within(HALF), within(NEARLY_ALL)) : t('nothingHandled');
	return h('figure.chart.times', { 'data-key': what },
		h('figcaption', {}, h('p.peak', {}, sentence)),
		readable(what, t(what), buckets.map(({ calls }, i) => `${bound(i)}: ${count(calls)}${(calls > 0) ? ` (${share(calls / all)})` : ''}`), 0,
			svg('svg', { 'viewBox': `0 0 ${buckets.length} ${HEIGHT}`, 'preserveAspectRatio': 'none', 'role': 'img', 'aria-label': sentence },
				bars(buckets.map(({ calls }) => calls), HEIGHT))),
		h('div.axis', {}, h('span', {}, bound(0)), h('span', {}, t('top', count(Math.max(...buckets.map(({ calls }) => calls))))), h('span', {}, bound(buckets.length - 1))));
}
