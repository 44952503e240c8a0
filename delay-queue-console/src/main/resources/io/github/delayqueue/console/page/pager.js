// A page before and a page after.

import { h } from './dom.js';
import { count } from './format.js';
import { t } from './messages.js';

export function pager(to, offset, size, shown, all, last = Infinity) {
	return (offset > 0 || shown < all) && h('nav.pager', { 'data-key': 'pager', 'aria-label': t('pages') },
		(offset > 0) && h('a.button', { 'href': to(Math.max(0, offset - size)), 'data-key': 'previous' }, t('previous')),
		h('span', {}, t('page', count(shown ? offset + 1 : 0), count(offset + shown), count(all))),
		(offset + shown < all && shown === size && offset + size <= last)
			&& h('a.button', { 'href': to(offset + size), 'data-key': 'next' }, t('next')));
}
