/**
 * Writes the types of the English catalogues into `catalogues.d.ts`, so that a wrong key or a missing argument does not
 * compile, and the compiled catalogues of the pages that the relay renders, and of its blueprints, into
 * `relay-catalogues.ts`. The files are not in the repository: `npm run texts` writes them, and so do type check, build
 * and tests.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { argumentTypes } from '../arguments.ts';
import { listCatalogues, readCatalogue } from '../catalogue-files.ts';
import { type Catalogue, compileCatalogue, compileMessage } from '../compile.ts';
import { LANGUAGES } from '../languages.ts';

const FOLDER = resolve(import.meta.dirname, '..');
const RELAY_CATALOGUES = ['announcements', 'blueprints', 'pages', 'refusals', 'share-pages'];

export function writeModules(): void {
  write('catalogues.d.ts', typesOf(listCatalogues(FOLDER, 'en')));
  write('relay-catalogues.ts', relayCatalogues());
}

/** Leaves a file alone if it is up to date: type checks are incremental. */
function write(name: string, text: string): void {
  const file = join(FOLDER, name);
  if (text !== readIfPresent(file)) writeFileSync(file, text);
}

function relayCatalogues(): string {
  const compiled = RELAY_CATALOGUES.map((name) => [
    name,
    Object.fromEntries(
      Object.keys(LANGUAGES).map((language) => [language, compileCatalogue(readCatalogue(FOLDER, language, name))]),
    ),
  ]);
  return `import type { Language } from './languages.ts';
import type { CompiledCatalogue } from './message.ts';

type RelayCatalogue = ${RELAY_CATALOGUES.map((name) => `'${name}'`).join(' | ')};

export const RELAY_CATALOGUES: Readonly<Record<RelayCatalogue, Readonly<Record<Language, CompiledCatalogue>>>> = ${JSON.stringify(Object.fromEntries(compiled))};
`;
}

function typesOf(names: readonly string[]): string {
  const members = names.map(
    (name) => `    readonly '${name}': ${typeOf(readCatalogue(FOLDER, 'en', name), '    ')};\n`,
  );
  const modules = names.map(
    (name) => `declare module 'texts:${name}' {
  import type { Catalogues } from 'texts:types';
  const texts: import('./texts.ts').Texts<Catalogues['${name}']>;
  export default texts;
}
`,
  );
  return `declare module 'texts:types' {
  type Message<Values> = (values: Values) => string;
  export interface Catalogues {
${members.join('')}  }
}
${modules.join('')}`;
}

function typeOf(entry: string | Catalogue, indent: string): string {
  if (typeof entry === 'string') return messageType(entry);
  const members = Object.entries(entry).map(
    ([key, value]) => `${indent}  readonly ${JSON.stringify(key)}: ${typeOf(value, `${indent}  `)};\n`,
  );
  return `{\n${members.join('')}${indent}}`;
}

function messageType(message: string): string {
  const types = [...argumentTypes(compileMessage(message))].map(([name, type]) => `readonly ${name}: ${type}`);
  return types.length === 0 ? 'string' : `Message<{ ${types.join('; ')} }>`;
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
