// What the dead tasks of all queues have died of, the most frequent cause first.

import { get } from './api.js';
import { more, title } from './dead.js';
import { h, update } from './dom.js';
import { count, distance, time } from './format.js';
import { place, queueLink } from './links.js';
import { t } from './messages.js';

/** The server looks at no more queues in a call. */
const LOOKED = 500;
/** Those with the most dead tasks: each takes a call of its own. */
const MOST = 20;
/** So long they are not counted again, in times of what it took to count. */
const PAUSE = 10;

let last = { until: 0 };

export async function load() {
	const started = performance.now();
	if (started < last.until) {
		return last;
	}
	const { queues, total } = await get('queues', { limit: LOOKED });
	const dead = Object.entries(queues).filter(([, queue]) => queue.dead > 0);
	dead.sort(([, one], [, other]) => other.dead - one.dead);
	const causes = {};
	for (const [queue] of dead.slice(0, MOST)) {
		if (place().view !== 'dead') {
			break;
		}
		const counted = await get('dead', { queue });
		counted.causes.forEach((group) => add(causes, queue, group, counted.complete));
	}
	const ended = performance.now();
	last = { causes, dead, total, until: ended + PAUSE * (ended - started) };
	return last;
}

function add(causes, queue, group, complete) {
	const { tasks = 0, first = group.first, last: latest = group.last, queues = [] } = causes[group.cause] ?? {};
	causes[group.cause] = {
		...group, tasks: tasks + group.tasks, first: (first < group.first) ? first : group.first,
		last: (latest > group.last) ? latest : group.last, queues: [...queues, { queue, tasks: group.tasks, complete }]
	};
}

export function render(view, { causes, dead, total }) {
	const rows = Object.values(causes).sort((one, other) => other.tasks - one.tasks);
	const tasks = dead.reduce((sum, [, queue]) => sum + queue.dead, 0);
	update(view,
		h('h1', {}, t('dead')),
		(rows.length > 0) && h('table.cards.panel.dead', { 'data-key': 'table' },
			h('thead', {}, h('tr', {}, ['cause', 'tasks', 'queues', 'first', 'last'].map((column) => h('th', { scope: 'col' }, t(column))))),
			h('tbody', {}, rows.map(row))),
		h('p.empty', { 'data-key': 'looked', 'role': 'status' },
			t('deadIn', count(tasks), count(dead.length)), (dead.length > MOST) && ` ${t('deadOfMost', count(MOST))}`,
			(total > LOOKED) && ` ${t('lookedAt', count(LOOKED), count(total))}`));
}

function row({ cause, tasks, first, last: latest, failure, queues }) {
	return h('tr', { 'data-key': cause },
		h('th', { scope: 'row' }, title(failure), more(failure)),
		h('td.number', { 'data-label': t('tasks') }, h('strong', {}, count(tasks) + (queues.every(({ complete }) => complete) ? '' : '+'))),
		h('td', { 'data-label': t('queues') }, h('ol.plain', {}, queues.map(({ queue, tasks: some }) => h('li', {},
			h('a', { href: queueLink(queue, { state: 'DEAD', cause }) }, queue), h('small', {}, ` ${count(some)}`))))),
		h('td', { 'data-label': t('first'), 'title': time(first) }, distance(first)),
		h('td', { 'data-label': t('last'), 'title': time(latest) }, distance(latest)));
}
