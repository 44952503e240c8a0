// Says it in the language that the browser prefers or that somebody has chosen: English or Chinese.

import { choice } from './choices.js';
import en from './en.js';
import zh from './zh.js';

export const LANGUAGES = { en: { short: 'EN', name: 'English' }, 'zh-CN': { short: '中', name: '中文' } };

/** What the browser prefers. */
export const preferred = (navigator.languages?.[0] ?? navigator.language ?? 'en').startsWith('zh') ? 'zh-CN' : 'en';

export const language = choice('language', Object.keys(LANGUAGES)) ?? preferred;

const messages = (language === 'zh-CN') ? zh : en;

/** The text of a key in another language than that of the server, {@code null} where there is none. */
export function translated(key, ...values) {
	return Object.hasOwn(messages, key) ? t(key, ...values) : null;
}

/** The text of a key, with {0}, {1} … filled in. What has no text is shown as it is. */
export function t(key, ...values) {
	const text = Object.hasOwn(messages, key) ? messages[key] : key;
	return text.replace(/\{(\d)\}/g, (_, index) => String(values[index]));
}
