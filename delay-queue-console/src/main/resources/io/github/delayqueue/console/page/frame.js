// The header: where to go, and how the page looks and in which language.

import { choice, choose } from './choices.js';
import { h, update } from './dom.js';
import { bind } from './keys.js';
import { place } from './links.js';
import { LANGUAGES, language, preferred, t } from './messages.js';

const THEMES = ['light', 'dark'];
const SYMBOLS = { system: '◐', light: '☀', dark: '☾' };

/** Views that can be gone to from everywhere: view, its name, its key. */
const PLACES = [['', 'queues', 'g q'], ['dead', 'dead', 'g d'], ['recurring', 'recurring', 'g r'], ['instances', 'instances', 'g i'], ['search', 'find', '/']];

let theme = choice('theme', THEMES);

/** Shows the header, and lets its keys work. */
export function frame() {
	paint();
	PLACES.forEach(([view, name, keys]) => bind(keys, name, () => {
		location.hash = `#/${view}`;
		document.getElementById(view)?.focus();
	}));
	bind('t', 'changeTheme', nextTheme);
	document.getElementById('theme').addEventListener('click', nextTheme);
	document.getElementById('language').addEventListener('click', otherLanguage);
	showPlaces();
	window.addEventListener('hashchange', showPlaces);
}

function showPlaces() {
	const here = { queue: '', task: '' }[place().view] ?? place().view;
	const places = document.getElementById('places');
	places.setAttribute('aria-label', t('places'));
	update(places, PLACES.map(([view, name]) => h('a', {
		'href': `#/${view}`, 'data-key': view, 'aria-current': (view === here) ? 'page' : null
	}, t(name))));
}

function paint() {
	if (theme) {
		document.documentElement.dataset.theme = theme;
	}
	else {
		delete document.documentElement.dataset.theme;
	}
	label('theme', SYMBOLS[theme ?? 'system'], t(`theme_${theme ?? 'system'}`));
	const other = LANGUAGES[otherThanThis()];
	label('language', other.short, other.name);
	document.getElementById('language').lang = otherThanThis();
}

function label(id, text, title) {
	const button = document.getElementById(id);
	button.textContent = text;
	button.title = title;
	button.setAttribute('aria-label', title);
}

function nextTheme() {
	theme = [...THEMES, null][(THEMES.indexOf(theme) + 1) % 3];
	choose('theme', theme);
	paint();
}

function otherThanThis() {
	return Object.keys(LANGUAGES).find((each) => each !== language);
}

function otherLanguage() {
	const other = otherThanThis();
	choose('language', (other === preferred) ? null : other);
	location.reload();
}
