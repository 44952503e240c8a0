// The instances that consume queues: where they are, of which version, what their listeners do, and what runs there for longest.

import { button } from './actions.js';
import { get } from './api.js';
import { h, heads, update } from './dom.js';
import { filterField, listenToFilter } from './filter.js';
import { count, distance, time } from './format.js';
import { queueLink, taskLink } from './links.js';
import { t } from './messages.js';

/** So many listeners are not folded. */
const FEW = 3;
const MOST = 100;
const MOST_CALLS = 20;
/** Who fell silent is in trouble for so long: then it has been replaced or seen. */
const TROUBLE = 3_600_000;

export async function load({ search = '', open }) {
	return { instances: (await get('instances')).instances, search, open };
}

export function render(view, { instances, search, open }) {
	update(view,
		h('nav', { 'aria-label': t('back') }, h('a', { href: '#/' }, `← ${t('back')}`)),
		h('h1', {}, t('instances')),
		running(instances),
		filterField(search, t('filterInstances')),
		h('section', { 'data-key': 'instances' }, table(instances, { search, open })));
	listenToFilter(view, search, (typed) => location.replace(link({ search: typed })));
}

function link(parameters) {
	return `#/instances?${new URLSearchParams(Object.entries(parameters).filter(([, value]) => value))}`;
}

/** What is known to be in handlers, the longest first. */
export function calls(instances) {
	return instances.filter(({ state }) => state === 'RUNNING')
		.flatMap((instance) => instance.listeners.flatMap(({ queue, calls: some }) => some.map((call) => ({ ...call, queue, instance: name(instance) }))))
		.sort((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt));
}

/** Who runs what since when, if it is for long. */
export function running(instances, queue = null) {
	const all = calls(instances);
	const columns = ['task', !queue && 'queue', 'instance', 'runningSince'].filter(Boolean);
	return (all.length > 0) && h('section', { 'data-key': 'runningNow' }, h('h2', {}, t('runningNow')),
		h('table.cards.running', {}, heads(...columns),
			h('tbody', {}, all.slice(0, MOST_CALLS).map((call) => h('tr', { 'data-key': `${call.instance} ${call.queue} ${call.task}` },
				h('th.id', { scope: 'row' }, h('a', { href: taskLink(call.queue, call.task) }, call.task)),
				!queue && h('td', { 'data-label': t('queue') }, h('a', { href: queueLink(call.queue) }, call.queue)),
				h('td', { 'data-label': t('instance') }, call.instance),
				h('td', { 'data-label': t('runningSince'), 'title': time(call.startedAt) }, distance(call.startedAt)))))));
}

/** Those that have fallen silent, those that are there, the busiest first, and folded those that have ended. */
export function table(all, { queue = null, search = '', open }) {
	const instances = all.map((each) => ({ ...each, shown: matching(each, search) })).filter(({ shown }) => shown);
	const isThere = ({ state, seenAt }) => state === 'RUNNING' || (state === 'GONE' && Date.now() - Date.parse(seenAt) < TROUBLE);
	const there = instances.filter(isThere).sort((one, other) => (other.state === 'GONE') - (one.state === 'GONE') || active(other) - active(one));
	const ended = instances.filter((each) => !isThere(each));
	const usual = usualVersion(there);
	const rows = (some) => lines(some, usual, { queue, search, open });
	return [
		(there.length > 0) ? rows(there) : h('p.empty', { 'data-key': 'none' }, t(search ? 'noMatch' : 'noInstances')),
		(ended.length > 0) && h('details.ended', { 'data-key': 'ended' }, h('summary', {}, t('ended', count(ended.length))), rows(ended))
	];
}

/** All listeners of an instance that matches, or those that do, if any does. */
function matching(instance, search) {
	const has = (...texts) => texts.some((text) => text?.toLowerCase().includes(search.toLowerCase()));
	const some = instance.listeners.filter(({ id, queue }) => has(id, queue));
	return has(name(instance), instance.application) ? instance.listeners : (some.length > 0) && some;
}

function active({ listeners }) {
	return listeners.reduce((sum, each) => sum + (each.active ?? 0), 0);
}

/** That of most of them; of as many, the one that comes last. */
function usualVersion(instances) {
	const numbers = new Map();
	instances.filter(({ version }) => version).forEach(({ version }) => numbers.set(version, (numbers.get(version) ?? 0) + 1));
	return [...numbers].sort(([one, first], [other, second]) => second - first || ((one < other) ? 1 : -1))[0]?.[0];
}

function lines(instances, usual, shown) {
	return h('table.cards.instances', {}, heads('instance', 'version', 'started', 'heard', 'listeners'),
		h('tbody', {}, instances.map((instance) => h('tr', { 'data-key': instance.id },
			h('th', { scope: 'row' }, h('strong', {}, name(instance)), instance.self && instance.id && h('span.badge', {}, t('thisOne')),
				h('small', {}, [[instance.application, instance.applicationVersion].filter(Boolean).join(' '), instance.host && instance.pid && t('process', instance.pid)].filter(Boolean).join(' · '))),
			h('td', { 'data-label': t('version') }, (!instance.version || instance.version === usual) ? instance.version ?? '–'
				: h('span.badge.warning', { title: t('otherVersion', usual ?? '–') }, instance.version ?? '–')),
			h('td', { 'data-label': t('started'), 'title': time(instance.startedAt) }, distance(instance.startedAt)),
			h('td', { 'data-label': t('heard'), 'title': time(instance.seenAt) }, heard(instance)),
			h('td.listeners', { 'data-label': t('listeners') }, listeners(instance, shown))))));
}

function name({ host, pid }) {
	return host || t('process', pid);
}

function heard({ state, seenAt }) {
	return (state === 'STOPPED') ? [h('span.badge', {}, t('shutDown')), ' ', distance(seenAt)]
		: (state === 'GONE') ? [h('span.badge.danger', {}, t('silent')), ' ', distance(seenAt)] : distance(seenAt);
}

/** In a line if they are many, and unfolded one for each. */
function listeners(instance, { queue, search, open }) {
	const { id, state, shown } = instance;
	const isOpen = open === id || search || shown.length <= FEW;
	const workers = shown.reduce((sum, { concurrency }) => sum + concurrency, 0);
	const sorted = [...shown].sort((one, other) => one.running - other.running || (other.active ?? 0) - (one.active ?? 0));
	return [
		(shown.length > FEW && !search) && h('div', {}, h('a', { 'href': link({ open: isOpen ? null : id }), 'aria-expanded': String(isOpen), 'data-key': 'fold' },
			h('span', { 'aria-hidden': 'true' }, isOpen ? '▾ ' : '▸ '), t('allListeners', count(shown.length))),
		(state === 'RUNNING' && workers > 0) && h('small', {}, t('busy', count(active(instance)), count(workers)))),
		isOpen && h('ul', {}, sorted.slice(0, MOST).map((listener) => line(listener, instance, queue)),
			(shown.length > MOST) && h('li', {}, h('small', {}, t('more', count(shown.length - MOST)))))
	];
}

function line(listener, instance, queue) {
	const { id, running: isRunning, concurrency, active: some, lastPollAt } = listener;
	const there = instance.state === 'RUNNING';
	return h('li', { 'data-key': `${listener.queue} ${id ?? ''}` },
		h('span', {}, id ?? t('byHand'), !queue && (id !== listener.queue) && [' – ', h('a', { href: queueLink(listener.queue) }, listener.queue)]),
		there && !isRunning && h('span.badge.warning', {}, t('stopped')),
		h('small', { title: time(lastPollAt) }, [
			there && concurrency > 0 && t('busy', (some === undefined) ? '–' : count(some), count(concurrency)),
			there && lastPollAt && t('polled', distance(lastPollAt))
		].filter(Boolean).join(', ')),
		there && id && instance.self && button(isRunning ? 'stop' : 'start',
			{ queue: listener.queue, listener: id, host: name(instance) }));
}
