// All queues, the most urgent first: what is wrong, and what can be done, by the rules of the server.

import { get } from './api.js';
import { sparkline } from './chart.js';
import { h, svg, update } from './dom.js';
import { count, duration, millis, rate as perSecond, tasks } from './format.js';
import { rate, record, retain, series } from './history.js';
import { place, queueLink, showFilter } from './links.js';
import { t } from './messages.js';
import { pager } from './pager.js';
import { box, isUrgent, lines, sentence } from './trouble.js';

const PAGE = 50;
/** With fewer queues there is nothing to be gained by folding some. */
const FEW = 10;
const MOST_CHIPS = 6;
const MOST_NEWS = 3;
const COLUMNS = ['queue', 'due', 'inFlight', 'retrying', 'dead', 'waiting', 'handled', 'consumers'];

let latest;
/** What was in trouble when it was last looked, of which page. */
let known = { of: null, troubles: new Set() };
/** In which order rows are shown, and why, as long as somebody points at them. */
let held = { of: null, order: [], queues: {} };
/** A finger that is gone leaves what it has touched hovered. */
let touched = false;

export async function load({ offset, search = '' }) {
	const skipped = Math.max(0, Number.parseInt(offset ?? '0', 10) || 0);
	const page = await get('queues', { limit: PAGE, offset: skipped, search });
	retain(new Set(page.order));
	Object.entries(page.queues).filter(([, queue]) => !queue.error).forEach(([name, queue]) => record(name, queue));
	return { ...page, offset: skipped, search };
}

export function render(view, page) {
	announce(page);
	const { order, queues } = hold(view.querySelector('table.queues'), page);
	const filter = filtered();
	const matching = order.filter((name) => name.toLowerCase().includes(filter.toLowerCase()));
	update(view,
		verdict(page, filter),
		(page.total > 5 || filter || page.search || page.offset > 0) && h('p.toolbar', { 'data-key': 'filter' },
			h('input', { type: 'search', placeholder: t('filter'), 'aria-label': t('filter'), id: 'filter', value: filter })),
		(matching.length > 0) && table(matching, queues, page, filter),
		(matching.length === 0 && (page.total > 0 || filter)) && h('p.empty', {}, t('noMatch')),
		pager((offset) => here({ offset }), page.offset, PAGE, page.order.length, page.total));
	showFilter(view, filter);
	latest = { page, table: view.querySelector('table.queues') };
	view.oninput = (event) => {
		if (event.target.id === 'filter') {
			// The address is another one, and the page stays: it is shown at once, and asked for when it is time
			history.replaceState(null, '', here({ search: event.target.value, offset: null }));
			render(view, latest.page);
		}
	};
	view.onpointerover = ({ pointerType }) => {
		touched = pointerType === 'touch';
	};
	view.onfocusout = view.onpointerout = (event) => {
		if (latest.table?.contains(event.target) && !latest.table.contains(event.relatedTarget)) {
			// The element may be about to be removed by a page that is being drawn
			queueMicrotask(() => latest.table?.isConnected && render(view, latest.page));
		}
	};
}

function filtered() {
	return place().parameters.search ?? '';
}

/** The address of this page with something changed; what is empty is left out. */
function here(change) {
	const parameters = Object.entries({ ...place().parameters, ...change }).filter(([, value]) => value);
	return (parameters.length > 0) ? `#/?${new URLSearchParams(parameters)}` : '#/';
}

/** Rows stay where they are while somebody points at one or has the focus in one: only their figures change. */
function hold(shown, { order, queues, offset, search }) {
	const of = `${offset} ${search}`;
	const inUse = shown && (shown.contains(document.activeElement) || (!touched && shown.matches(':hover')));
	const kept = held.order.filter((name) => Object.hasOwn(queues, name));
	if (inUse && held.of === of && kept.length > 0) {
		return { order: kept, queues: Object.fromEntries(kept.map((name) => [name, still(held.queues[name], queues[name])])) };
	}
	return held = { of, order, queues };
}

/** As many lines as before: what is new comes later, and what is over says so. */
function still({ group, trouble }, queue) {
	const now = (old) => queue.trouble.find(({ code }) => code === old.code) ?? { ...old, level: 'NOTE', over: true };
	return { ...queue, group, trouble: trouble.map(now) };
}

/** What is new is said to those who do not see it. */
function announce({ order, queues, offset, search }) {
	const of = `${offset} ${search}`;
	const all = order.flatMap((name) => queues[name].trouble.filter(isUrgent).map((trouble) => [name, trouble]));
	const fresh = all.filter(([name, { code }]) => !known.troubles.has(`${name} ${code}`));
	if (known.of === of && fresh.length > 0) {
		document.getElementById('news').textContent = fresh.slice(0, MOST_NEWS)
			.map(([name, trouble]) => `${name}: ${sentence(trouble)}`).join(' ');
	}
	known = { of, troubles: new Set(all.map(([name, { code }]) => `${name} ${code}`)) };
}

function verdict({ order, queues, groups, total, offset }, filter) {
	if (total === 0) {
		return !filter && box('plain', '–', h('h1', {}, t('noQueuesYet')), t('noQueues'));
	}
	const urgent = groups.DANGER + groups.WARNING;
	const others = t('others', count(groups.WORKING), count(groups.QUIET));
	if (urgent === 0) {
		return box('good', '✓', h('h1', {}, t((total === 1) ? 'allWellOne' : 'allWell', count(total))), others);
	}
	const chips = order.filter((name) => queues[name].trouble.some(isUrgent)).slice(0, MOST_CHIPS);
	return box((groups.DANGER > 0) ? 'danger' : 'warning', (groups.DANGER > 0) ? '✕' : '!',
		h('h1', {}, t((urgent === 1) ? 'needsAttention' : 'needAttention', count(urgent), count(total))), others,
		h('nav.chips', { 'aria-label': t('attention') }, chips.map((name) => h('a', {
			'href': queueLink(name), 'data-key': name, 'class': queues[name].group.toLowerCase()
		}, name)), (urgent > chips.length)
			&& h((offset > 0) ? 'a' : 'span', { 'href': (offset > 0) && '#/', 'data-key': ' ' }, `+${count(urgent - chips.length)}`)));
}

function table(names, queues, { groups, total }, filter) {
	const of = (...wanted) => names.filter((name) => wanted.includes(queues[name].group));
	const quiet = of('QUIET');
	const open = total <= FEW || filter || quiet.length === names.length || place().parameters.quiet === 'open';
	return h('table.queues', { 'data-key': 'queues' },
		h('thead', {}, h('tr', {}, COLUMNS.map((column) => h('th', { scope: 'col', class: column }, t(column))))),
		group('attention', groups.DANGER + groups.WARNING, of('DANGER', 'WARNING'), queues),
		group('working', groups.WORKING, of('WORKING'), queues),
		group('quiet', groups.QUIET, quiet, queues, open, (total > FEW && quiet.length < names.length && !filter)
			&& h('a.button', { 'href': here({ quiet: open ? null : 'open' }), 'data-key': 'fold' }, t(open ? 'hide' : 'show'))));
}

function group(name, all, names, queues, open = true, fold = null) {
	return names.length > 0 && [h('tbody.group', { 'data-key': `the ${name}` }, h('tr', {}, h('th', { colspan: COLUMNS.length, scope: 'rowgroup' },
		h('span', { class: name }, t(name)), h('small', {}, count(all)), (name === 'quiet') && h('small', {}, t('quietMeans')), fold))),
	open && names.map((each) => rows(each, queues[each]))];
}

function rows(name, queue) {
	const worst = queue.trouble.find(({ over }) => !over) ?? queue.trouble[0];
	return h('tbody', { 'data-key': name, 'class': worst ? `trouble ${worst.level.toLowerCase()}` : null },
		h('tr', { 'data-key': name },
			h('th', { scope: 'row' }, shape(worst), h('a', { href: queueLink(name) }, name), tags(queue)),
			queue.error ? h('td', { colspan: COLUMNS.length - 1 }) : cells(name, queue)),
		worst && h('tr.why', { 'data-key': 'why' }, h('td', { colspan: COLUMNS.length }, lines(name, queue))));
}

function shape(worst) {
	const { level } = worst ?? {};
	return h('span', { 'class': `shape ${level?.toLowerCase() ?? 'fine'}`, 'aria-hidden': 'true' },
		(level === 'DANGER') ? '✕' : (level === 'WARNING') ? '!' : (level === 'NOTE') ? 'i' : '✓');
}

function tags({ journal, paused, partitions }) {
	return [paused && h('span.badge.warning', {}, t('paused')), journal && h('span.badge', {}, t('journal')),
		(partitions > 1) && h('span.badge', {}, `${count(partitions)} ${t('partitions')}`)];
}

function cells(name, queue) {
	const overdue = millis(queue.oldestDueAge);
	const codes = queue.trouble.filter(({ over }) => !over).map(({ code }) => code);
	const speed = rate(name, 'handled');
	return [
		cell('due', queue.due, codes.some((code) => ['no-consumer', 'behind', 'paused'].includes(code)),
			(overdue > 0) && h('small', {}, t('oldest', duration(overdue)))),
		cell('inFlight', queue.inFlight, codes.includes('leases-lost'),
			(queue.workers > 0) && h('small', {}, ` / ${count(queue.workers)}`), (queue.workers > 0) && busy(queue)),
		cell('retrying', queue.retrying, codes.includes('retrying')),
		h('td.dead', { 'data-label': t('dead') }, (queue.dead > 0)
			? h('a', { href: queueLink(name, { state: 'DEAD' }), class: codes.includes('dying') ? 'danger' : null }, count(queue.dead))
			: h('b.zero', {}, '0'),
			(queue.diedLastHour > 0) && h('small', {}, t('inHour', count(queue.diedLastHour)))),
		cell('waiting', queue.waiting, false, (queue.inDatabaseOnly > 0) && h('small', {}, `${tasks(queue.inDatabaseOnly, queue)} ${t('inDatabase')}`)),
		h('td.handled', { 'data-label': t('handled') },
			h(speed ? 'b.value' : 'b.value.zero', {}, (speed === null) ? '–' : t('perSecond', perSecond(speed))),
			series(name, 'handled').some(([, value]) => value > 0) && sparkline(name, 'handled', t('handled'), perSecond)),
		h('td.consumers', { 'data-label': t('consumers') }, (queue.consumers === 0) ? h('b.alarming', {}, t('none'))
			: h('b', {}, (queue.consumers === undefined) ? '–' : count(queue.consumers)))
	];
}

function cell(name, value, alarming, ...more) {
	return h('td', { 'data-label': t(name), 'class': name },
		h('b', { class: (value === 0) ? 'zero' : alarming ? 'alarming' : null }, count(value)), more);
}

function busy({ inFlight, workers }) {
	return svg('svg.meter', { 'viewBox': '0 0 60 4', 'width': 60, 'height': 4, 'aria-hidden': 'true' },
		svg('rect.rail', { width: 60, height: 4, rx: 2 }),
		svg('rect', { width: 60 * Math.min(1, inFlight / workers), height: 4, rx: 2 }));
}
