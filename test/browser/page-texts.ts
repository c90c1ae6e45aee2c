/** The texts of a page, and which of them are wrong there: keys, placeholders, those of another language. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Language } from '../../src/texts/languages.ts';
import { ROOT } from '../support/built-once.ts';

/** Without code, what people typed, and what is marked as of another language. */
const TEXTS = `(() => {
  const texts = [document.title];
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const { parentElement, data } = nodes.currentNode;
    if (!parentElement.closest('code, pre, kbd, samp, textarea, script, style, body [lang]')) texts.push(data.trim());
  }
  for (const name of ['aria-label', 'aria-description', 'title', 'placeholder', 'alt']) {
    for (const element of document.querySelectorAll('[' + name + ']')) texts.push(element.getAttribute(name).trim());
  }
  return [...new Set(texts)];
})()`;

export function textsOf(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(TEXTS);
}

/** What a page shows instead of its content: by its key. */
export const ABSENT = [
  ...['shell.notFound', 'shell.crashed', 'accessory.missing', 'automation-blueprints.notFound', 'automation-runs.gone'],
  ...['automations.notFound', 'rooms.notFound', 'scenes.notFound', 'virtual.notFound', 'connections.webhooks.gone'],
];

/** A placeholder that nothing was put into, and what JavaScript makes of nothing. */
const RAW = /\{\s*\w+\s*(?:,[^}]*)?\}|\b(?:undefined|NaN)\b|^null$|\[object |Invalid Date/;
/** `mayOnlyLook`, `remedies.batteryLow` */
const KEY_FORM = /[a-z][A-Z]|\w\.\w/;

/** The messages of a language by their whole keys: `shell.nav.home`. */
type Messages = ReadonlyMap<string, string>;

const read = new Map<Language, Messages>();

function messagesOf(language: Language): Messages {
  const known = read.get(language);
  if (known) return known;
  const messages = new Map<string, string>();
  const add = (value: unknown, key: string) => {
    if (typeof value === 'string') messages.set(key, value);
    else for (const [inner, each] of Object.entries(value as object)) add(each, `${key}.${inner}`);
  };
  const folder = join(ROOT, 'src/texts', language);
  for (const file of readdirSync(folder)) {
    add(JSON.parse(readFileSync(join(folder, file), 'utf8')), file.replace(/\.json$/, ''));
  }
  read.set(language, messages);
  return messages;
}

/** @param unwanted keys of messages that are not to be there */
export function wrongTexts(texts: readonly string[], language: Language, unwanted: readonly string[] = []) {
  const messages = messagesOf(language);
  const english = messagesOf('en');
  const keys = new Set([...english.keys()].flatMap(endsOf));
  const own = new Set(messages.values());
  // Of more than one word: "Details" is German too.
  const foreign = new Set([...english.values()].filter((text) => /\w \w/.test(text) && !own.has(text)));
  const absent = new Set(
    unwanted.map((key) => {
      const message = messages.get(key);
      if (message === undefined) throw new Error(`There is no text ${key}`);
      return message;
    }),
  );
  return texts.filter(
    (text) => RAW.test(text) || (KEY_FORM.test(text) && keys.has(text)) || foreign.has(text) || absent.has(text),
  );
}

/** `a.b.c`, `b.c`, `c` */
function endsOf(key: string): readonly string[] {
  const parts = key.split('.');
  return parts.map((_, from) => parts.slice(from).join('.'));
}
