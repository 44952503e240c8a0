// Says it in the language that the browser prefers or that somebody has chosen: English or Chinese.

import { choice } from './choices.js';

export const LANGUAGES = { en: { short: 'EN', name: 'English' }, 'zh-CN': { short: '中', name: '中文' } };

/** What the browser prefers. */
export const preferred = (navigator.languages?.[0] ?? navigator.language ?? 'en').startsWith('zh') ? 'zh-CN' : 'en';

export const language = choice('language', Object.keys(LANGUAGES)) ?? preferred;

// Only one of them: a browser loads no more than it shows
const messages = (await import((language === 'zh-CN') ? './zh.js' : './en.js')).default;

/** The text of a key in another language than that of the server, {@code null} where there is none. */
export function translated(key, ...values) {
	return (messages[key] !== undefined) ? t(key, ...values) : null;
}

/** The text of a key, with {0}, {1} … filled in. What has no text is shown as it is. */
export function t(key, ...values) {
	const text = messages[key] ?? key;
	return text.replace(/\{(\d)\}/g, (_, index) => String(values[index]));
}
