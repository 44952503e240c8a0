// One queue.

import { get, recall } from './api.js';
import { button } from './actions.js';
import { table as changeTable } from './changes.js';
import { ahead, chart } from './chart.js';
import * as deadTasks from './dead.js';
import { h, update } from './dom.js';
import { count, distance, duration, millis, rate as perSecond, tasks as several } from './format.js';
import { table as groupTable } from './groups.js';
import { record } from './history.js';
import { running, table } from './instances.js';
import { queueLink, searchLink } from './links.js';
import { t } from './messages.js';
import { list } from './tasks.js';
import { lines } from './trouble.js';
import { times } from './times.js';
import { week } from './week.js';

const PAGE = 50;
/** Of changes and groups. */
const MOST = 20;
const RANGES = ['hour', 'day', 'month'];
const STATES = ['SCHEDULED', 'due', 'IN_FLIGHT', 'DEAD', 'COMPLETED'];

export async function load({ name, state, offset, range, span, cause, cursor }) {
	const queue = await get('queue', { queue: name });
	if (queue.error) {
		throw new Error(queue.error);
	}
	record(name, queue);
	const wanted = STATES.includes(state) ? state : (queue.dead > 0) ? 'DEAD' : 'SCHEDULED';
	const skipped = Math.max(0, Number.parseInt(offset ?? '0', 10) || 0);
	const dead = (wanted === 'DEAD') ? await deadTasks.load(name, { cause, cursor }) : null;
	const page = dead ? { tasks: dead.rows } : await get('tasks', { queue: name, state: wanted, offset: skipped, limit: PAGE });
	const forecast = await get('forecast', { queue: name, range: RANGES.includes(range) ? range : RANGES[0] });
	// Null where it cannot be read
	const history = await recall('history', { queue: name }, 60_000);
	const handlers = await recall('times', { queue: name }, 30_000);
	const { changes } = await recall('changes', { queue: name, limit: MOST }, 10_000) ?? { changes: [] };
	const groups = await recall('groups', { queue: name, limit: MOST }, 10_000) ?? { total: 0 };
	return { name, queue, state: wanted, isAsked: wanted === state, offset: skipped, tasks: page.tasks, dead, forecast, history, handlers, span, changes, groups };
}

export function render(view, { name, queue, state, isAsked, offset, tasks, dead, forecast, history, handlers, span, changes, groups }, access) {
	const overdue = millis(queue.oldestDueAge);
	const listed = section('tasks', list(name, queue, STATES, state, tasks, offset, PAGE, access, dead));
	// What was asked for, or has died, comes before figures, and stays where it is seen when that changes
	const isFirst = isAsked || queue.dead > 0;
	const wasFirst = view.querySelector('[data-key=tasks] ~ [data-key=figures]') !== null;
	const top = () => view.querySelector('[data-key=tasks]')?.getBoundingClientRect().top;
	const before = top();
	update(view,
		h('nav', { 'aria-label': t('back') }, h('a', { href: '#/' }, `← ${t('back')}`)),
		h('h1', {}, name, queue.paused && h('span.badge.warning', {}, t('paused'))),
		(queue.trouble.length > 0) && h('section.troubles', { 'data-key': 'troubles', 'aria-label': t('attention') },
			lines(name, queue, true)),
		h('div.actions', { 'data-key': 'actions' },
			!queue.paused ? button('pause', { queue: name }) : (queue.due === 0) && button('resume', { queue: name }),
			(queue.waiting + queue.inFlight + queue.dead + queue.completed + queue.listeners.length === 0) &&
				button('forget', { queue: name }), h('a.button', { 'href': searchLink(name), 'data-key': 'find' }, t('find'))),
		isFirst && listed,
		section('figures',
			h('dl.tiles', {},
				tile('waiting', several(queue.waiting, queue)), tile('due', count(queue.due)),
				tile('inFlight', count(queue.inFlight)), tile('leasesLost', count(queue.leasesLost), queue.leasesLost > 0),
				tile('retrying', count(queue.retrying)), tile('dead', count(queue.dead), queue.dead > 0),
				tile('completed', count(queue.completed)),
				(queue.journal || queue.inDatabaseOnly > 0) && tile('inDatabaseOnly', several(queue.inDatabaseOnly, queue)),
				tile('overdue', (overdue > 0) ? duration(overdue) : '–'),
				tile('nextDue', queue.nextDueAt ? distance(queue.nextDueAt) : '–'),
				Number.isInteger(queue.consumers) && tile('consumers', count(queue.consumers), queue.consumers === 0),
				(queue.partitions > 1) && tile('partitions', count(queue.partitions)))),
		h('div.pair', { 'data-key': 'pair' }, section('fallsDue', h('nav.tabs', { 'aria-label': t('fallsDue') }, RANGES.map((range) => h('a', {
			'href': queueLink(name, { state, offset, range }), 'data-key': range,
			'aria-current': (range === forecast.range) ? 'page' : null
		}, t(`range_${range}`)))), ahead(forecast)), section('lastWeek', week(history, queue.instances ?? []))),
		(groups.total > 0) && section('groups', groupTable(name, groups)),
		section('times', times(name, handlers, span, { state, offset }, queue.instances ?? [])),
		section('overTime',
			h('div.charts', {}, chart(name, 'waiting', t('waiting'), count),
				chart(name, 'accepted', t('accepted'), speed), chart(name, 'handled', t('handled'), speed),
				chart(name, 'overdue', t('overdue'), duration))),
		!isFirst && listed,
		running(queue.instances ?? [], name),
		section('instances', table(queue.instances ?? unlisted(name, queue), { queue: name })),
		(changes.length > 0) && section('changes', changeTable(changes)),
		section('totals', h('dl.totals', {}, Object.entries(queue.totals)
			.map(([total, value]) => h('div', {}, h('dt', {}, t(`total_${total}`)), h('dd', {}, count(value)))))));
	deadTasks.mark(view);
	if (before !== undefined && wasFirst !== isFirst) {
		window.scrollBy(0, top() - before);
	}
}

function section(title, ...content) {
	return h('section', { 'data-key': title }, h('h2', {}, t(title)), content);
}

/** Who answers knows its own listeners, even if Redis does not tell who else is there. */
function unlisted(name, { listeners }) {
	return (listeners.length > 0) ? [{ host: t('thisOne'), state: 'RUNNING', self: true, listeners: listeners.map((each) => ({ ...each, queue: name, calls: [] })) }] : [];
}

function tile(name, value, alarming = false) {
	return h('div', { class: alarming ? 'alarming' : null, 'data-key': name },
		h('dt', {}, t(name)), h('dd', {}, value));
}

function speed(value) {
	return t('perSecond', perSecond(value));
}
