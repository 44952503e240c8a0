// What is wrong with a queue, as the server says it, and where to go or what to press about it.

import { button } from './actions.js';
import { top } from './causes.js';
import { h } from './dom.js';
import { count, duration, millis, moment } from './format.js';
import { queueLink } from './links.js';
import { t, translated } from './messages.js';

const INSTANT = /(?<!\d)\d{4}-\d\d-\d\dT[\d:.]+Z/g;

const DURATION = /^PT(?=\d)(\d+H)?(\d+M)?([\d.]+S)?$/;

/** Where what is wrong can be seen. */
const STATES = { dying: 'DEAD', 'leases-lost': 'IN_FLIGHT', hanging: 'IN_FLIGHT', retrying: 'SCHEDULED' };

export function isUrgent({ level }) {
	return level !== 'NOTE';
}

/** In words of the server, and in other languages in ours. */
export function sentence({ code, sentence: text, values, over }) {
	if (over) {
		return t('itIsOver');
	}
	const [, , last, host, at] = values;
	const words = [translated(`trouble_${code}`, ...values.map(value)), translated(`last_${last}`, host, at && moment(at))];
	return words[0] ? words.filter(Boolean).join(' ') : text.replace(INSTANT, moment);
}

function value(each) {
	if (typeof each === 'number') {
		return count(each);
	}
	return DURATION.test(each) ? duration(millis(each)) : each.replace(INSTANT, moment);
}

/** All that is wrong: cause, advice, and what can be done. Of what tasks die says more than advice. */
export function lines(name, { trouble }, here = false) {
	return trouble.map((each) => h('div', { 'data-key': each.code, 'class': `cause ${each.level.toLowerCase()}` },
		h('p', {}, h('strong', {}, sentence(each)), !each.over && [' ', (each.code === 'dying' && !here && top(name))
			|| h('span', {}, translated(`advice_${each.code}`) ?? each.advice)]),
		!each.over && remedy(name, each.code, here)));
}

function remedy(name, code, here) {
	if (code === 'paused') {
		return h('div.actions', {}, button('resume', { queue: name }));
	}
	const state = STATES[code];
	return state && !(here && state === 'DEAD') && h('a.button', { href: queueLink(name, { state }) }, t((state === 'DEAD') ? 'seeCauses' : 'seeTasks'));
}

/** A sentence for the whole page, with a shape beside its colour. */
export function box(kind, shape, title, more, ...rest) {
	return h(`section.verdict.${kind}`, { 'data-key': 'verdict' }, h('span.shape', { 'aria-hidden': 'true' }, shape),
		h('div', {}, title, more && h('p', {}, more)), rest);
}
