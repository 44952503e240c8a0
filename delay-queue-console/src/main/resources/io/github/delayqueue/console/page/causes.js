// What dead letters have died of: those of all queues, the most frequent cause first, and the most frequent one of a queue.

import { get } from './api.js';
import { more, title, when } from './dead.js';
import { h, heads, update } from './dom.js';
import { count, moment, share } from './format.js';
import { place, queueLink } from './links.js';
import { t } from './messages.js';

/** The server looks at no more queues in a call. */
const LOOKED = 500;
/** Those with the most dead letters: each takes calls of its own. */
const MOST = 20;
/** Nor does it count more of a queue. */
const COUNTED = 100_000;
/** So long what is known is good: in times of what it took, and beside other figures, where a tenth more or less are dead by now and where not. */
const PAUSE = 10;
const REST = { others: 60_000, same: 600_000 };
const SAME = 0.1;
/** After so long what is known is shown, before more is counted. */
const PATIENCE = 500;
/** Beside other figures, so many are looked at with each look. */
const AT_ONCE = 3;
const MOST_QUEUES = 5;

/** How far the dead letters of queues are counted, when, and how long that took. */
const known = new Map();

let figures = { until: 0 };

export async function load() {
	const started = Date.now();
	if (started >= figures.until) {
		const { queues, total } = await get('queues', { limit: LOOKED });
		const dead = Object.entries(queues).filter(([, queue]) => queue.dead > 0).map(([queue, { dead: tasks }]) => ({ queue, tasks }));
		figures = { dead: dead.sort(mostFirst), total, until: Date.now() + PAUSE * (Date.now() - started) };
	}
	for (const { queue } of figures.dead.slice(0, MOST)) {
		if (Date.now() - started < PATIENCE && place().view === 'dead' && !isFresh(queue, 0)) {
			await look(queue);
		}
	}
	return figures;
}

/** Looks at some of the queues that have dead letters, the most urgent first. */
export async function lookAt({ order, queues }) {
	const isSame = (queue, { tasks } = {}) => Math.abs(Math.min(queues[queue].dead, COUNTED) - tasks) <= SAME * tasks;
	const rest = (queue) => isSame(queue, known.get(queue)) ? REST.same : REST.others;
	const old = order.filter((queue) => queues[queue].dead > 0 && !isFresh(queue, rest(queue)));
	await Promise.all(old.slice(0, AT_ONCE).map((queue) => look(queue).catch(() => null)));
}

/** Whether all was counted so short a time ago. */
function isFresh(queue, least) {
	const { isDone, at, took } = known.get(queue) ?? {};
	return isDone && Date.now() < at + Math.max(least, PAUSE * took);
}

/** Goes on with counting. A count that has begun anew replaces the one before when it has come as far. */
async function look(queue) {
	const { isDone: isNew = true, took = 0, ...before } = known.get(queue) ?? { tasks: 0 };
	const started = Date.now();
	const counted = await get('dead', { queue });
	const at = Date.now();
	const isDone = counted.complete || counted.tasks >= COUNTED;
	known.set(queue, { ...((isDone || counted.tasks >= before.tasks) ? counted : before), isDone, at, took: (isNew ? 0 : took) + at - started });
}

function mostFirst(one, other) {
	return other.tasks - one.tasks;
}

/** The most frequent cause of a queue and its share, if it is known. */
export function top(queue) {
	const { causes: [first] = [], tasks } = known.get(queue) ?? {};
	return first && h('a.top', { 'href': queueLink(queue, { state: 'DEAD', cause: first.cause }), 'data-key': 'top' },
		`${share(first.tasks / tasks)} ${title(first.failure)}`, first.failure?.type && h('span', {}, ` ${(first.failure.message ?? '').slice(0, 120)}`));
}

/** Since when there are dead letters, if it is known. */
export function since(queue) {
	const firsts = (known.get(queue)?.causes ?? []).map(({ first }) => first).sort();
	return firsts[0] && t('deadSince', moment(firsts[0]));
}

/** Each dead letter is in a row: those that are not told apart yet are in one of their own. */
export function render(view, { dead, total }) {
	const causes = new Map();
	const left = dead.map(({ queue, tasks }) => ({ queue, tasks: tasks - told(causes, queue) })).filter(({ tasks }) => tasks > 0);
	const rows = [...causes.values()].map((each) => ({ ...each, tasks: sum(each.queues) }));
	const all = sum(dead);
	update(view,
		h('h1', {}, t('dead')),
		h('p.empty', { 'data-key': 'looked', 'role': 'status' }, t('deadIn', count(all), count(dead.length)),
			(dead.length > MOST) && ` ${t('deadOfMost', count(MOST))}`, (total > LOOKED) && ` ${t('lookedAt', count(LOOKED), count(total))}`),
		(dead.length > 0) && h('table.cards.panel.dead.all', { 'data-key': 'table' }, heads('cause', 'tasks', 'queues', 'first', 'last'),
			h('tbody', {}, rows.sort(mostFirst).map((each) => row(each, all)),
				(left.length > 0) && row({ cause: 'left', tasks: sum(left), queues: left }, all))));
}

/** Adds the causes of a queue; how many of its tasks have them. */
function told(causes, queue) {
	const groups = known.get(queue)?.causes ?? [];
	for (const { cause, tasks, first, last, failure } of groups) {
		const { first: earliest = first, last: latest = last, queues = [] } = causes.get(cause) ?? {};
		causes.set(cause, { cause, failure, first: [first, earliest].sort()[0], last: [last, latest].sort()[1], queues: [...queues, { queue, tasks }] });
	}
	return sum(groups);
}

function sum(each) {
	return each.reduce((all, { tasks }) => all + tasks, 0);
}

function row({ cause, tasks, first, last, failure, queues }, all) {
	const [most, ...others] = queues.sort(mostFirst);
	const link = (queue) => queueLink(queue, { state: 'DEAD', ...(first && { cause }) });
	return h('tr', { 'data-key': cause },
		h('th', { scope: 'row' }, first ? [h('a.cause-name', { href: link(most.queue) }, title(failure)), more(failure)] : t('notToldYet')),
		h('td.number', { 'data-label': t('tasks') }, h('span', {}, h('strong', {}, count(tasks)), h('small', {}, share(tasks / all)))),
		h('td.queues-of', { 'data-label': t('queues') }, h('ol.plain', {}, [most, ...others].slice(0, MOST_QUEUES).map(({ queue, tasks: some }) => h('li', {},
			h('a', { href: link(queue) }, queue), h('small', {}, ` ${count(some)}`))),
		(queues.length > MOST_QUEUES) && h('li', {}, h('small', {}, `+${count(queues.length - MOST_QUEUES)}`)))),
		[['first', first], ['last', last]].map(([name, at]) => h('td', { 'data-label': t(name) }, at ? when(at) : '–')));
}
