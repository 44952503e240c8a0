// Keys for those who do not want the mouse. They count outside of fields and dialogs, and without Ctrl, Alt and Meta.

import { showDialog } from './dialog.js';
import { h } from './dom.js';
import { t } from './messages.js';

/** How long the second of two keys is waited for. */
const PATIENCE = 1500;
/** A row that can be gone to has its link in its heading. */
const LINKS = 'tbody th[scope=row] a';
const OF_VIEW = ':scope > :is(.actions, .troubles)';
const PAUSES = ['pause', 'resume'];

const bound = new Map();

let first = { key: null, until: 0 };

/**
 * Binds a key, or two as 'g q'.
 * @param {string} text the message that says what it does, for the help
 * @param {Function} run returns false if there is nothing to do here: whoever has bound the key before is asked then
 */
export function bind(keys, text, run) {
	const { runs = [] } = bound.get(keys) ?? {};
	bound.set(keys, { text, runs: [run, ...runs] });
}

/** The keys that work on rows and buttons of any view. */
export function listenToKeys(view) {
	bind('j', 'nextRow', () => move(view, 1));
	bind('k', 'previousRow', () => move(view, -1));
	// By the browser: what has the focus is a link
	bind('Enter', 'openRow', () => false);
	bind('Escape', 'goBack', () => click([...view.querySelectorAll(':scope > nav:first-child a')].at(-1)));
	bind('f', 'toFilter', () => focus(view.querySelector('#filter')));
	bind('x', 'selectRow', () => click(row(view)?.querySelector('input[type=checkbox]')));
	bind('r', 'redrive', () => act(view, 'redrive'));
	bind('d', 'removeTask', () => act(view, 'delete', 'cancel'));
	bind('p', 'pauseResume', () => use(row(view), ':scope', PAUSES) || use(view, OF_VIEW, PAUSES));
	bind('?', 'keys', help);
	document.addEventListener('keydown', press);
}

function press(event) {
	if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing
			|| document.querySelector('dialog[open]')) {
		return;
	}
	if (event.target.closest('input:not([type=checkbox]), select, textarea')) {
		if (event.key === 'Escape' && !event.target.value) {
			event.target.blur();
		}
		return;
	}
	const keys = (first.key && event.timeStamp < first.until) ? `${first.key} ${event.key}` : event.key;
	const isFirst = [...bound.keys()].some((each) => each.startsWith(`${keys} `));
	first = { key: isFirst ? keys : null, until: event.timeStamp + PATIENCE };
	if (bound.get(keys)?.runs.some((run) => run() !== false)) {
		event.preventDefault();
	}
}

function row(view) {
	const at = document.activeElement;
	return view.contains(at) ? at.closest('table.queues tbody') ?? at.closest('tbody tr') : null;
}

function move(view, by) {
	const links = [...view.querySelectorAll(LINKS)];
	const here = row(view);
	const at = here ? links.findIndex((link) => here.contains(link)) : -1;
	return focus((at < 0) ? links.at((by > 0) ? 0 : -1) : links[at + by]);
}

/** Of what is selected, of the row that has the focus, or else of the whole view: who means one task does not mean all of them. */
function act(view, ...actions) {
	const here = row(view);
	return use(view, '.selection', actions) || (here ? use(here, ':scope', actions) : use(view, OF_VIEW, actions));
}

function use(place, within, actions) {
	return click(actions.map((action) => place?.querySelector(`${within} :is([data-action=${action}], [data-dead=${action}])`)).find(Boolean));
}

function focus(element) {
	element?.focus();
	return Boolean(element);
}

function click(element) {
	element?.click();
	return Boolean(element);
}

function help() {
	showDialog(t('keys'), h('dl.keys', {}, [...bound].map(([keys, { text }]) => h('div', {},
		h('dt', {}, keys.split(' ').map((key) => h('kbd', {}, (key === 'Escape') ? 'Esc' : key))), h('dd', {}, t(text))))));
}
