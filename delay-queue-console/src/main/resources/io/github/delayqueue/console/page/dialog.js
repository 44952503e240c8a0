// The one dialog: asks before something is done, or shows something.

import { h } from './dom.js';
import { t } from './messages.js';

const dialog = document.getElementById('dialog');

/** Where something is to be confirmed, that gets what was filled in; the dialog stays open until it has been done. */
export function showDialog(title, content, confirmed = null, isDangerous = false) {
	const form = h('form', { method: 'dialog' }, h('h2', { id: 'dialog-title' }, title), content,
		h('div.actions', {},
			h(confirmed ? 'button' : 'button.primary', { type: 'button', id: 'dialog-cancel' }, t('cancelDialog')),
			confirmed && h(isDangerous ? 'button.primary.danger' : 'button.primary', { type: 'submit', id: 'dialog-confirm' }, title)));
	// Not another one that has been opened while the answer was awaited
	const close = () => form.isConnected && dialog.close();
	form.querySelector('#dialog-cancel').addEventListener('click', close);
	form.addEventListener('submit', async (event) => {
		event.preventDefault();
		form.querySelectorAll('button').forEach((each) => each.disabled = true);
		await confirmed(Object.fromEntries(new FormData(form)));
		close();
	});
	dialog.replaceChildren(form);
	dialog.showModal();
}
