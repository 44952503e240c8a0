// Finds queues by their name, tasks by their id in all queues, and by a text within one queue.

import { find, get } from './api.js';
import { h, heads, update } from './dom.js';
import { count, distance, time } from './format.js';
import { place, queueLink, taskLink } from './links.js';
import { t } from './messages.js';
import { all } from './steps.js';
import { why } from './tasks.js';

const QUEUE = /^[\w.:-]{1,128}$/;
const MOST_IDS = 5;
const LONGEST = 256; // bytes of UTF-8
const WHERE = ['id', 'text', 'header'];
const MOST = 100;

/** What people paste: a command, an address, JSON, or a line of a log; and how to read the id in it. */
const NAMED = [
	[/'id=([^']+)'/g, (id) => id],
	[/(?:^|[?&"\s])id=([^&'"\s]+)/g, (id) => new URLSearchParams(`id=${id}`).get('id')],
	[/"(?:id|taskId)"\s*:\s*"((?:[^"\\]|\\.)+)"/g, (id) => id.replaceAll(/\\(["\\/])/g, '$1')],
	[/\b(?:[Tt]ask|[Ii]d) ['‘“"]([^'’”"]+)['’”"]/g, (id) => id]
];
const WORD = /[^\s'"“”‘’(){}[\],;=<>]+/g;

/** The last search; it is not repeated, but by pressing Enter. */
let last = { q: null };

export async function load({ q = '', where = 'id', queue = '' }) {
	if (last.q !== q.trim() || last.where !== where || last.queue !== queue || !last.done) {
		await search(q.trim(), where, queue);
	}
	return last;
}

async function search(q, where, queue) {
	const mine = last = { q, where, queue, ids: queue ? [] : idsIn(q), found: Object.create(null), isQueue: false, queues: 0, done: false };
	const isWanted = () => mine === last && place().view === 'search';
	const draw = () => isWanted() && render(document.getElementById('view'), mine);
	if (queue && q) {
		await look(mine, isWanted, draw);
	}
	else if (QUEUE.test(q)) {
		mine.isQueue = await find('queue', { queue: q }) !== null;
		mine.queues = (await get('queues', { search: q, limit: 1 })).total;
	}
	draw();
	for (const id of mine.ids) {
		mine.found[id] = await all('find', { id }, isWanted, (known) => {
			mine.found[id] = known;
			draw();
		});
	}
	mine.done = isWanted();
}

async function look(mine, isWanted, draw) {
	const isEnough = () => (mine.known?.tasks[mine.queue] ?? []).length >= MOST;
	try {
		await all('search', { queue: mine.queue, [mine.where]: mine.q }, () => isWanted() && !isEnough(), (known) => {
			mine.known = known;
			draw();
		});
	}
	catch (error) {
		if (![400, 403, 404].includes(error.status)) {
			throw error;
		}
		mine.refusal = error.message;
	}
}

/** What may be an id in a text: itself, if it is in one piece. */
export function idsIn(text) {
	const named = NAMED.flatMap(([pattern, read]) => [...text.matchAll(pattern)].map(([, id]) => read(id)));
	if (named.length > 0 || !/\s/.test(text)) {
		return few([...named, ...(/\s|:\/\//.test(text) ? [] : [text])]);
	}
	// Words of a line that look as if they were made by a computer, and the whole of it
	const words = (text.match(WORD) ?? []).map((word) => word.replace(/[.:!?]+$/, ''))
		.filter((word) => /\d/.test(word) && /[\p{L}_:-]/u.test(word) && !/^\d{4}-\d\d-\d\d|^\d\d:\d\d/.test(word));
	return few([...(text.length <= 80 ? [text] : []), ...words]);
}

function few(ids) {
	return [...new Set(ids)].filter((id) => id && new TextEncoder().encode(id).length <= LONGEST && !/\p{Cc}/u.test(id)).slice(0, MOST_IDS);
}

export function render(view, what) {
	const { q, where, queue, ids, found, isQueue: itIs, queues } = what;
	const isNew = !view.querySelector('#search');
	update(view,
		h('h1', { 'data-key': 'title' }, t('find')),
		h('form.toolbar', { 'data-key': 'form', 'role': 'search' },
			h('input', { type: 'search', id: 'search', value: q, placeholder: t('findWhat'), 'aria-label': t('findWhat'), autocomplete: 'off' }),
			h('select', { 'id': 'where', 'aria-label': t('findWhere') }, WHERE.map((value) => h('option', { value, selected: value === where }, t(`where_${value}`)))),
			h('input', { 'id': 'within', 'value': queue, 'placeholder': t('queue'), 'aria-label': t('queue'), 'autocomplete': 'off' }),
			h('button.primary', { type: 'submit' }, t('find'))),
		!q && h('p.empty', { 'data-key': 'hint' }, t('findHint')),
		(queues > 0) && h('section', { 'data-key': 'queues' }, h('h2', {}, t('queues')), itIs && h('p', {}, h('a', { href: queueLink(q) }, q)),
			h('p', {}, h('a', { href: `#/?${new URLSearchParams({ search: q })}` }, t('queuesWith', q, count(queues))))),
		(queue && q) && within(what),
		ids.filter((id) => found[id]).map((id) => section(id, found[id])));
	const field = view.querySelector('#search');
	if (isNew) {
		field.focus({ preventScroll: true });
	}
	view.onsubmit = (event) => {
		event.preventDefault();
		last = { q: null };
		const [chosen, of] = ['where', 'within'].map((id) => view.querySelector(`#${id}`).value.trim());
		const to = `#/search?${new URLSearchParams({ q: field.value.trim(), ...(chosen !== 'id' && { where: chosen, queue: of }) })}`;
		if (location.hash === to) {
			window.dispatchEvent(new HashChangeEvent('hashchange'));
		}
		else {
			location.hash = to;
		}
	};
}

function section(id, { tasks, unread, looked, total, cursor }) {
	const rows = Object.entries(tasks).flatMap(([queue, each]) => each.map((task) => row(queue, queue, task)));
	return h('section', { 'data-key': `task ${id}` }, h('h2.id', {}, t('taskInQueues', id)),
		table('queue', rows),
		h('p.empty', { role: 'status' }, cursor ? t('lookedAt', count(looked), count(total))
			: (rows.length === 0) ? t('inNoQueue', count(total)) : t('inAll', count(total))),
		unreadable(unread));
}

function within({ q, queue, known, refusal }) {
	const tasks = known?.tasks[queue] ?? [];
	return h('section', { 'data-key': 'within' }, h('h2.id', {}, `${q} – ${queue}`),
		refusal && h('p.warning', {}, refusal),
		table('task', tasks.map((task) => row(task.id, queue, task))),
		known && h('p.empty', { role: 'status' }, t('lookedInto', count(tasks.length), count(known.looked), count(known.total)),
			(known.partly.length > 0) && ` ${t('notInto')}`));
}

function table(first, rows) {
	return (rows.length > 0) && h('table.cards', {}, heads(first, 'state', 'dueAt', 'lastError'), h('tbody', {}, rows));
}

/** Queues that could not be looked at. */
export function unreadable(names) {
	return (names.length > 0) && h('p.warning', {}, t('notLookedAt', names.join(', ')));
}

function row(name, queue, task) {
	return h('tr', { 'data-key': name },
		h('th', { scope: 'row' }, h('a', { href: taskLink(queue, task.id) }, name)),
		h('td', { 'data-label': t('state') }, h((task.state === 'DEAD') ? 'span.badge.danger' : 'span.badge', {}, t(task.state))),
		h('td', { 'data-label': t('dueAt'), 'title': time(task.dueAt) }, task.dueAt ? distance(task.dueAt) : '–'),
		h('td.reason', { 'data-label': t('lastError') }, why(task.lastFailure)));
}
