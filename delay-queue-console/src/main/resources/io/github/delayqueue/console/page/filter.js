// The field in which rows are looked for by what somebody types.

import { h } from './dom.js';
import { t } from './messages.js';

export function filterField(value, label = t('filter')) {
	return h('p.toolbar', { 'data-key': 'filter' },
		h('input', { 'type': 'search', 'id': 'filter', value, 'placeholder': label, 'aria-label': label }));
}

/** What has been typed stays until the address says something else. */
export function listenToFilter(view, value, typed) {
	const field = view.querySelector('#filter');
	if (field && field !== document.activeElement) {
		field.value = value;
	}
	view.oninput = ({ target }) => target.id === 'filter' && typed(target.value);
}
