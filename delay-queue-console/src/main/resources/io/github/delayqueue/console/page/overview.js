// All queues, the most urgent first: what is wrong, and what can be done, by the rules of the server.

import { get } from './api.js';
import { lookAt, since } from './causes.js';
import { bars, dues, sparkline } from './chart.js';
import { h, svg, update } from './dom.js';
import { filterField, listenToFilter } from './filter.js';
import { count, duration, millis, rate as perSecond, tasks } from './format.js';
import { rate, record, retain, series } from './history.js';
import { place, queueLink } from './links.js';
import { t } from './messages.js';
import { pager } from './pager.js';
import { box, isUrgent, lines, sentence } from './trouble.js';

const PAGE = 50;
/** With fewer queues there is nothing to be gained by folding some. */
const FEW = 10;
const MOST_NEWS = 3;
const HOUR = 3_600_000;
const COLUMNS = ['queue', 'due', 'inFlight', 'retrying', 'dead', 'waiting', 'handled', 'consumers'];
/** Columns whose smallest value is looked for: names, and queues that nobody consumes. */
const SMALLEST_FIRST = ['queue', 'consumers'];

/** The page before: what has not changed since is not sent again. */
let seen = { of: null };
let latest;
/** What was in trouble when it was last looked, of which page. */
let known = { of: null, troubles: new Set() };
/** In which order rows are shown, and why, as long as somebody points at them. */
let held = { of: null, order: [], queues: {} };
/** A finger that is gone leaves what it has touched hovered. */
let touched = false;

export async function load({ offset, search = '', sort }) {
	const skipped = Math.max(0, Number.parseInt(offset ?? '0', 10) || 0);
	const page = await ask({ limit: PAGE, offset: skipped, search, ...(sort && { sort }) });
	const deaths = new Map(Object.entries(page.deaths ?? {}));
	page.order.forEach((name) => page.queues[name].deaths = deaths.get(name));
	retain(new Set([...page.order, together(search)]));
	page.sums && record(together(search), { ...page.sums, inDatabaseOnly: 0, totals: { scheduled: 0, completed: page.sums.completed } });
	Object.entries(page.queues).filter(([, queue]) => !queue.error).forEach(([name, queue]) => record(name, queue));
	await lookAt(page);
	return { ...page, offset: skipped, search, sort };
}

async function ask(parameters) {
	const of = JSON.stringify(parameters);
	const page = await get('queues', { ...parameters, ...(seen.of === of && { since: seen.asOf }) });
	const known = { ...seen.queues, ...page.queues };
	seen = { ...page, of, queues: Object.fromEntries(page.order.map((name) => [name, known[name]])) };
	if (page.order.some((name) => !Object.hasOwn(known, name))) {
		// It has come from another page, as it was before
		seen = { of: null };
		return ask(parameters);
	}
	return seen;
}

export function render(view, page) {
	announce(page);
	const { order, queues } = hold(view.querySelector('table.queues'), page);
	const filter = filtered();
	const matching = order.filter((name) => name.toLowerCase().includes(filter.toLowerCase()));
	update(view,
		verdict(page, filter),
		page.sums && strip(page),
		(page.total > 5 || filter || page.search || page.offset > 0) && filterField(filter),
		(matching.length > 0) && table(matching, queues, page, filter),
		(matching.length === 0 && (page.total > 0 || filter)) && h('p.empty', {}, t('noMatch')),
		pager((offset) => here({ offset }), page.offset, PAGE, page.order.length, page.total));
	latest = { page, table: view.querySelector('table.queues') };
	listenToFilter(view, filter, (typed) => {
		// The address is another one, and the page stays: it is shown at once, and asked for when it is time
		history.replaceState(history.state, '', here({ search: typed, offset: null }));
		render(view, latest.page);
	});
	view.onclick = ({ target }) => {
		const sorts = target.closest('[data-sort]');
		if (sorts) {
			location.hash = here({ sort: next(sorts.dataset.sort, page.sort), offset: null });
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
function hold(shown, { order, queues, offset, search, sort }) {
	const of = `${offset} ${search} ${sort}`;
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
function announce({ order, queues, offset, search, sort }) {
	const of = `${offset} ${search} ${sort}`;
	const all = order.flatMap((name) => queues[name].trouble.filter(isUrgent).map((trouble) => [name, trouble]));
	const fresh = all.filter(([name, { code }]) => !known.troubles.has(`${name} ${code}`));
	if (known.of === of && fresh.length > 0) {
		document.getElementById('news').textContent = fresh.slice(0, MOST_NEWS)
			.map(([name, trouble]) => `${name}: ${sentence(trouble)}`).join(' ');
	}
	known = { of, troubles: new Set(all.map(([name, { code }]) => `${name} ${code}`)) };
}

function verdict({ groups, total }, filter) {
	if (total === 0) {
		return !filter && box('plain', '–', h('h1', {}, t('noQueuesYet')), t('noQueues'));
	}
	const urgent = groups.DANGER + groups.WARNING;
	const others = t('others', count(groups.WORKING), count(groups.QUIET));
	if (urgent === 0) {
		return box('good', '✓', h('h1', {}, t((total === 1) ? 'allWellOne' : 'allWell', count(total))), others);
	}
	return box((groups.DANGER > 0) ? 'danger' : 'warning', (groups.DANGER > 0) ? '✕' : '!',
		h('h1', {}, t((urgent === 1) ? 'needsAttention' : 'needAttention', count(urgent), count(total))), others);
}

/** No queue has such a name. */
const together = (search) => ` ${search}`;

/** The figures of all queues together. */
function strip({ sums, search }) {
	const speed = rate(together(search), 'handled');
	const overdue = millis(sums.oldestDueAge);
	const soon = sums.delays.filter(({ below }) => below && millis(below) <= HOUR);
	const figure = (name, value, more) => h('div', { 'data-key': name }, h('dt', {}, t(name)), h('dd', {}, value, more));
	return h('dl.tiles.strip', { 'data-key': 'strip' },
		figure('waiting', count(sums.waiting)),
		figure('range_hour', count(soon.reduce((sum, { tasks }) => sum + tasks, 0)), dues(soon)),
		figure('due', count(sums.due), (overdue > 0) && h('small', {}, t('oldest', duration(overdue)))),
		figure('handled', (speed === null) ? '–' : t('perSecond', perSecond(speed)), sparkline(together(search), 'handled', t('handled'), perSecond)),
		figure('dead', count(sums.dead), (sums.diedLastHour > 0) && h('small', {}, t('inHour', count(sums.diedLastHour)))));
}

function table(names, queues, { groups, total, sort }, filter) {
	const of = (...wanted) => names.filter((name) => wanted.includes(queues[name].group));
	const quiet = of('QUIET');
	const open = total <= FEW || filter || quiet.length === names.length || place().parameters.quiet === 'open';
	return h('table.queues', { 'data-key': 'queues' },
		h('thead', {}, h('tr', {}, COLUMNS.map((column) => heading(column, sort)))),
		sort ? names.map((each) => rows(each, queues[each])) : [group('attention', groups.DANGER + groups.WARNING, of('DANGER', 'WARNING'), queues),
			group('working', groups.WORKING, of('WORKING'), queues),
			group('quiet', groups.QUIET, quiet, queues, open, (total > FEW && quiet.length < names.length && !filter)
				&& h('a.button', { 'href': here({ quiet: open ? null : 'open' }), 'data-key': 'fold' }, t(open ? 'hide' : 'show')))]);
}

/** What is due can be sorted by the age of the oldest as well. */
function heading(column, sort) {
	const way = (by) => (sort === by) ? 'ascending' : (sort === `-${by}`) ? 'descending' : null;
	const each = (column === 'due') ? ['due', 'late'] : [column];
	return h('th', { 'scope': 'col', 'class': column, 'aria-sort': each.map(way).find(Boolean) }, each.map((by) => h('button.sort', { 'type': 'button', 'data-sort': by },
		t((by === 'late') ? 'longest' : by), way(by) && h('span', { 'aria-hidden': 'true' }, (way(by) === 'ascending') ? ' ↑' : ' ↓'))));
}

/** In one way, in the other one, and then by urgency again. */
function next(column, sort) {
	const ways = SMALLEST_FIRST.includes(column) ? [column, `-${column}`] : [`-${column}`, column];
	return ways[ways.indexOf(sort) + 1];
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
			h('th', { scope: 'row' }, shape(worst ?? (queue.dead > 0 && { level: 'OLD' })), h('a', { href: queueLink(name) }, name), tags(queue)),
			queue.error ? h('td', { colspan: COLUMNS.length - 1 }) : cells(name, queue)),
		worst && h('tr.why', { 'data-key': 'why' }, h('td', { colspan: COLUMNS.length }, lines(name, queue))));
}

function shape(worst) {
	const { level } = worst || {};
	return h('span', { 'class': `shape ${level?.toLowerCase() ?? 'fine'}`, 'aria-hidden': 'true' },
		(level === 'DANGER') ? '✕' : (level === 'WARNING') ? '!' : level ? 'i' : '✓');
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
		cell('inFlight', queue.inFlight, ['leases-lost', 'hanging'].some((code) => codes.includes(code)),
			(queue.workers > 0) && h('small', {}, ` / ${count(queue.workers)}`)),
		cell('retrying', queue.retrying, codes.includes('retrying')),
		h('td.dead', { 'data-label': t('dead') }, (queue.dead > 0)
			? h('a', { href: queueLink(name, { state: 'DEAD' }), class: codes.includes('dying') ? 'danger' : null }, count(queue.dead))
			: h('b.zero', {}, '0'),
			(queue.dead > 0) && h('small', {}, (queue.diedLastHour > 0) ? t('inHour', count(queue.diedLastHour)) : since(name)),
			queue.deaths && deaths(queue.deaths)),
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

/** By the hour, the present one at the right. */
function deaths(hours) {
	return svg('svg.deaths', { 'viewBox': `0 0 ${hours.length} 12`, 'preserveAspectRatio': 'none', 'role': 'img',
		'aria-label': t('diedInDay', count(hours.reduce((sum, each) => sum + each, 0)), count(Math.max(...hours))) }, bars(hours, 12));
}
