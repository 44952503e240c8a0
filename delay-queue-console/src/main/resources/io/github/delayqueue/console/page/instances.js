// The instances that consume queues: where they are, of which version, and what their listeners do.

import { button } from './actions.js';
import { get } from './api.js';
import { h, update } from './dom.js';
import { count, distance, time } from './format.js';
import { queueLink } from './links.js';
import { t } from './messages.js';

const COLUMNS = ['instance', 'version', 'started', 'heard', 'listeners'];

export async function load() {
	return (await get('instances')).instances;
}

export function render(view, instances) {
	update(view,
		h('nav', { 'aria-label': t('back') }, h('a', { href: '#/' }, `← ${t('back')}`)),
		h('h1', {}, t('instances')),
		h('section', { 'data-key': 'instances' }, table(instances)));
}

/** Those that are there, and folded those that have ended. Of one queue only its listeners are known. */
export function table(instances, queue = null) {
	const there = instances.filter(({ state }) => state === 'RUNNING');
	const ended = instances.filter(({ state }) => state !== 'RUNNING');
	const usual = usualVersion(there);
	return [
		(there.length > 0) ? rows(there, usual, queue) : h('p.empty', { 'data-key': 'none' }, t('noInstances')),
		(ended.length > 0) && h('details.ended', { 'data-key': 'ended' }, h('summary', {}, t('ended', count(ended.length))),
			rows(ended, usual, queue))
	];
}

/** That of most of them; of as many, the one that comes last. */
function usualVersion(instances) {
	const numbers = new Map();
	instances.filter(({ version }) => version).forEach(({ version }) => numbers.set(version, (numbers.get(version) ?? 0) + 1));
	return [...numbers].sort(([one, first], [other, second]) => second - first || ((one < other) ? 1 : -1))[0]?.[0];
}

function rows(instances, usual, queue) {
	return h('table.cards.instances', {},
		h('thead', {}, h('tr', {}, COLUMNS.map((column) => h('th', { scope: 'col' }, t(column))))),
		h('tbody', {}, instances.map((instance) => h('tr', { 'data-key': instance.id },
			h('th', { scope: 'row' }, h('strong', {}, name(instance)), instance.self && instance.id && h('span.badge', {}, t('thisOne')),
				h('small', {}, [instance.application, instance.host && instance.pid && t('process', instance.pid)].filter(Boolean).join(' · '))),
			h('td', { 'data-label': t('version') }, (!instance.version || instance.version === usual) ? instance.version ?? '–'
				: h('span.badge.warning', { title: t('otherVersion', usual ?? '–') }, instance.version ?? '–')),
			h('td', { 'data-label': t('started'), 'title': time(instance.startedAt) }, distance(instance.startedAt)),
			h('td', { 'data-label': t('heard'), 'title': time(instance.seenAt) }, heard(instance)),
			h('td.listeners', { 'data-label': t('listeners') },
				h('ul', {}, instance.listeners.map((listener) => line(listener, instance, queue))))))));
}

function name({ host, pid }) {
	return host || t('process', pid);
}

function heard({ state, seenAt }) {
	return (state === 'STOPPED') ? [h('span.badge', {}, t('shutDown')), ' ', distance(seenAt)]
		: (state === 'GONE') ? [h('span.badge.danger', {}, t('silent')), ' ', distance(seenAt)] : distance(seenAt);
}

function line(listener, instance, queue) {
	const { id, running, concurrency, active, lastPollAt } = listener;
	const there = instance.state === 'RUNNING';
	return h('li', { 'data-key': `${listener.queue} ${id ?? ''}` },
		h('span', {}, id ?? t('byHand'), !queue && (id !== listener.queue) && [' – ', h('a', { href: queueLink(listener.queue) }, listener.queue)]),
		there && !running && h('span.badge.warning', {}, t('stopped')),
		h('small', { title: time(lastPollAt) }, [
			there && concurrency > 0 && t('busy', (active === undefined) ? '–' : count(active), count(concurrency)),
			there && lastPollAt && t('polled', distance(lastPollAt))
		].filter(Boolean).join(', ')),
		there && id && instance.self && button(running ? 'stop' : 'start',
			{ queue: listener.queue, listener: id, host: name(instance) }));
}
