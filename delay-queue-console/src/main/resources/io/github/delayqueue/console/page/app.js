// Shows what the address asks for, and loads it anew as long as somebody can see it: every two seconds while it is used.

import { allow, listen } from './actions.js';
import { about, outdate } from './api.js';
import * as causes from './causes.js';
import { listenToReaders } from './chart.js';
import { listenToCopies } from './copy.js';
import * as dead from './dead.js';
import { h, update } from './dom.js';
import { time } from './format.js';
import { frame } from './frame.js';
import { listenToKeys } from './keys.js';
import * as instances from './instances.js';
import { place } from './links.js';
import { language, t } from './messages.js';
import * as overview from './overview.js';
import * as queue from './queue.js';
import * as recurring from './recurring.js';
import * as search from './search.js';
import * as task from './task.js';
import { box } from './trouble.js';

const INTERVAL = 2000;
/** A page that nobody touches for half a minute hangs on a wall, or is forgotten: it costs Redis less. */
const CALM_AFTER = 30_000;
const CALM_INTERVAL = 8000;
const NOTICE = 6000;
/** After so long the page says that it waits. */
const SLOW = 3000;
/** So many refusals for being too many are passed over. */
const PATIENCE = 2;
const VIEWS = { '': overview, instances, queue, task, search, recurring, dead: causes };

const view = document.getElementById('view');
const outage = document.getElementById('outage');
const connection = document.getElementById('connection');
const notice = document.getElementById('notice');

let access = null;
let timer;
let turn = 0;
let touchedAt = performance.now();
let shownAt;
let noticeTimer;
let refusals = 0;
/** How far down somebody was at each entry of the history, and where to go when what it shows is there. */
const tops = new Map();
let entry;
let wantedTop = null;

/** Loads and shows; what comes too late, because somebody has gone elsewhere meanwhile, is not shown. */
async function show() {
	clearTimeout(timer);
	const mine = ++turn;
	const started = performance.now();
	const slow = setTimeout(() => mine === turn && update(connection, document.createTextNode(t('waits'))), SLOW);
	const { view: name, parameters } = place();
	const { load, render } = Object.hasOwn(VIEWS, name) ? VIEWS[name] : overview;
	try {
		access ??= await about();
		allow(access);
		showAccess();
		const data = await load(parameters);
		if (mine === turn) {
			keepFocus(() => render(view, data, access));
			shownAt = new Date();
			refusals = 0;
			connected(null);
			if (wantedTop !== null) {
				window.scrollTo(0, wantedTop);
				wantedTop = null;
			}
		}
	}
	catch (error) {
		if (mine === turn && !(error.status === 429 && ++refusals <= PATIENCE)) {
			connected(error);
		}
	}
	clearTimeout(slow);
	if (mine === turn) {
		// A server that needs long to answer is asked less often
		timer = setTimeout(tick, Math.max(isCalm() ? CALM_INTERVAL : INTERVAL, 3 * (performance.now() - started)));
	}
}

function renew() {
	recurring.outdate();
	outdate();
	show();
}

function isCalm() {
	return performance.now() - touchedAt > CALM_AFTER;
}

function touched() {
	const calm = isCalm();
	touchedAt = performance.now();
	if (calm) {
		tick();
	}
}

function tick() {
	if (document.visibilityState === 'visible') {
		show();
	}
}

function connected(error) {
	connection.className = error ? 'failed' : '';
	update(connection, (error?.status === 401) ? h('a', { href: location.pathname }, error.message)
		: document.createTextNode(t(error ? 'notLive' : 'live')));
	const empty = view.querySelector(':scope > .nothing-yet');
	view.classList.toggle('old', error !== null && !empty);
	update(outage, error && !empty && box('danger', '✕', h('strong', {}, t(title(error))),
		t('asOf', time(shownAt)), (error.message !== t(title(error))) && h('p', {}, error.message)));
	if (error && empty) {
		update(view, h('nav', {}, h('a', { href: '#/' }, t('back'))), h('p.empty.nothing-yet', {}, error.message));
	}
	if (error?.status === 401) {
		access = null;
	}
}

function title({ status, ours }) {
	return (status === 503 && ours) ? 'redisAway' : (status === 0) ? 'noConnection' : 'notRenewed';
}

/** What had the focus may be gone, a button for what has been done for instance: not back to the top of the page then. */
function keepFocus(change) {
	const inside = view.contains(document.activeElement);
	change();
	if (inside && document.activeElement === document.body) {
		view.focus({ preventScroll: true });
	}
}

function showAccess() {
	const badge = document.getElementById('access');
	badge.hidden = access.writable;
	badge.textContent = t('readOnly');
	badge.title = t('readOnlyHint');
}

function say(message, failed = false) {
	notice.textContent = message;
	notice.className = failed ? 'failed' : '';
	notice.hidden = false;
	clearTimeout(noticeTimer);
	if (!failed) {
		noticeTimer = setTimeout(silence, NOTICE);
	}
}

/** What has failed stays to be read until something else is done. */
function silence() {
	notice.hidden = true;
}

/** Another state or page of the same queue replaces what is there when it has come; all else begins at the top, or where it was left. */
function go() {
	tops.set(entry, window.scrollY);
	entry = history.state?.entry ?? Date.now();
	history.replaceState({ entry }, '');
	const { view: name, parameters } = place();
	const subject = [parameters.id, parameters.queue ?? parameters.name, parameters.q].filter(Boolean);
	document.title = [...subject, 'Delay Queue'].join(' – ');
	const shown = [name, ...subject].join('\n');
	if (view.dataset.shown !== shown) {
		silence();
		update(view, h('p.empty.nothing-yet', {}, t('loading')));
		window.scrollTo(0, 0);
		wantedTop = tops.get(entry) ?? null;
		if (view.dataset.shown !== undefined) {
			view.focus({ preventScroll: true });
		}
		view.dataset.shown = shown;
	}
	show();
}

/** Not in a frame: what somebody believes to press might lie below another page. */
if (window.self === window.top) {
	document.documentElement.lang = language;
	document.querySelector('header').hidden = false;
	frame();
	document.addEventListener('visibilitychange', tick);
	['keydown', 'pointerdown', 'pointermove', 'wheel'].forEach((use) => document.addEventListener(use, touched, { passive: true }));
	window.addEventListener('hashchange', go);
	history.scrollRestoration = 'manual';
	const skip = document.getElementById('skip');
	skip.textContent = t('skip');
	skip.addEventListener('click', () => view.focus());
	document.getElementById('dialog').addEventListener('close', () => {
		if (document.activeElement === document.body) {
			view.focus({ preventScroll: true });
		}
	});
	listen(view,
		(message) => {
			say(message);
			renew();
		},
		(error) => say(error.message, true));
	listenToCopies(view, say);
	listenToKeys(view);
	listenToReaders(view);
	dead.listen(view, renew, say);
	go();
}
