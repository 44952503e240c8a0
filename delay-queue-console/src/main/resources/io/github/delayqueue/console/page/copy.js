// Copies text: a link, or a command.

import { showDialog } from './dialog.js';
import { h, onClick } from './dom.js';
import { t } from './messages.js';

/** A button that copies. */
export function copyButton(label, text, key) {
	return h('button.copy', { 'type': 'button', 'data-copy': text, 'data-key': key, 'title': text }, label);
}

export function listenToCopies(view, say) {
	onClick(view, 'button[data-copy]', ({ dataset }) => copy(dataset.copy, say));
}

async function copy(text, say) {
	try {
		await navigator.clipboard.writeText(text);
		say(t('copied'));
	}
	catch {
		// Browsers give the clipboard to pages that came by HTTPS or from this computer only
		const field = h('textarea', { 'readonly': true, 'rows': 5, 'aria-labelledby': 'dialog-title' });
		field.value = text;
		showDialog(t('copyByHand'), field);
		field.select();
	}
}
