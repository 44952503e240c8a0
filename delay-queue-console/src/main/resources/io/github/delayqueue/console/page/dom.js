// Elements from data. Whatever comes from the server gets into the page as text or as the value
// of an attribute from the list below, never as markup.

import { t } from './messages.js';

const SVG = 'http://www.w3.org/2000/svg';

/** h('a.link', {href: '#/'}, 'text', child, …): an element; children that are null or false are left out. */
export function h(selector, attributes = {}, ...children) {
	return build(document.createElement(name(selector)), selector, attributes, children);
}

/** The same for elements of a drawing. */
export function svg(selector, attributes = {}, ...children) {
	return build(document.createElementNS(SVG, name(selector)), selector, attributes, children);
}

/** The heads of the columns of a table. */
export function heads(...columns) {
	return h('thead', {}, h('tr', {}, columns.map((column) => h('th', { scope: 'col' }, t(column)))));
}

/** Does something with what is clicked, if it is such an element. */
export function onClick(view, selector, step) {
	view.addEventListener('click', (event) => {
		const clicked = event.target.closest(selector);
		if (clicked) {
			step(clicked, event);
		}
	});
}

function name(selector) {
	return selector.split('.')[0];
}

function build(element, selector, attributes, children) {
	const classes = selector.split('.').slice(1);
	if (classes.length > 0) {
		element.setAttribute('class', classes.join(' '));
	}
	for (const [key, value] of Object.entries(attributes)) {
		if (value === true) {
			element.setAttribute(key, '');
		}
		else if (value !== null && value !== undefined && value !== false) {
			element.setAttribute(key, String(value));
		}
	}
	for (const child of children.flat(Infinity)) {
		if (child !== null && child !== undefined && child !== false) {
			element.append(child instanceof Node ? child : document.createTextNode(visible(String(child))));
		}
	}
	return element;
}

/** Marks that change the direction of writing are shown: they could turn an id or a number around. */
function visible(text) {
	return text.replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (mark) => `⟨U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`);
}

/**
 * Makes the children of a parent those given, keeping the elements that are there already, so that focus,
 * selection and scroll positions outlive an update. Children with data-key are recognised wherever they are.
 */
export function update(parent, ...children) {
	sync(parent, children.flat(Infinity).filter((child) => child instanceof Node));
}

function sync(parent, wanted) {
	const keyed = new Map();
	const kept = new Set(wanted.map((fresh) => fresh.dataset?.key));
	for (const child of [...parent.children]) {
		const key = child.dataset.key;
		if (key !== undefined) {
			if (kept.has(key)) {
				keyed.set(key, child);
			}
			else {
				child.remove();
			}
		}
	}
	let place = parent.firstChild;
	for (const fresh of wanted) {
		const key = fresh.dataset?.key;
		const known = (key !== undefined) ? keyed.get(key) : place;
		if (known && alike(known, fresh)) {
			if (known === place) {
				place = place.nextSibling;
			}
			else {
				parent.insertBefore(known, place);
			}
			refresh(known, fresh);
		}
		else {
			parent.insertBefore(fresh, place);
		}
	}
	while (place) {
		const next = place.nextSibling;
		place.remove();
		place = next;
	}
}

function alike(known, fresh) {
	return known.nodeType === fresh.nodeType && known.nodeName === fresh.nodeName
		&& known.dataset?.key === fresh.dataset?.key;
}

function refresh(known, fresh) {
	if (known.nodeType === Node.TEXT_NODE) {
		if (known.data !== fresh.data) {
			known.data = fresh.data;
		}
		return;
	}
	for (const { name: attribute } of [...known.attributes]) {
		if (!fresh.hasAttribute(attribute) && attribute !== 'open') {
			known.removeAttribute(attribute);
		}
	}
	for (const { name: attribute, value } of fresh.attributes) {
		if (known.getAttribute(attribute) !== value) {
			known.setAttribute(attribute, value);
		}
	}
	sync(known, [...fresh.childNodes]);
}
