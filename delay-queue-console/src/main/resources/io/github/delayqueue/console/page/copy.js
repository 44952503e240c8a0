// Copies text: a link, or a command.

import { h } from './dom.js';
import { t } from './messages.js';

/** A button that copies. */
export function copyButton(label, text, key) {
	return h('button.copy', { 'type': 'button', 'data-copy': text, 'data-key': key, 'title': text }, label);
}

export function listenToCopies(view, dialog, say) {
	view.addEventListener('click', (event) => {
		const pressed = event.target.closest('button[data-copy]');
		if (pressed) {
			copy(pressed.dataset.copy, dialog, say);
		}
	});
}

async function copy(text, dialog, say) {
	try {
		await navigator.clipboard.writeText(text);
		say(t('copied'));
	}
	catch {
		// Browsers give the clipboard to pages that came by HTTPS or from this computer only
		show(text, dialog);
	}
}

function show(text, dialog) {
	const field = h('textarea', { 'readonly': true, 'rows': 5, 'aria-labelledby': 'dialog-title' });
	field.value = text;
	const close = h('button.primary', { type: 'button', id: 'dialog-cancel' }, t('cancelDialog'));
	close.addEventListener('click', () => dialog.close());
	dialog.replaceChildren(h('h2', { id: 'dialog-title' }, t('copyByHand')), field, h('div.actions', {}, close));
	dialog.showModal();
	field.select();
}
