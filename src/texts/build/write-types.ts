/**
 * Writes the types of the English catalogues into `catalogues.d.ts`, so that a wrong key or a missing argument does not
 * compile. The file is not in the repository: `npm run texts` writes it, and so do type check, build and tests.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { argumentTypes } from '../arguments.ts';
import { listCatalogues, readCatalogue } from '../catalogue-files.ts';
import { type Catalogue, compileMessage } from '../compile.ts';

const FOLDER = resolve(import.meta.dirname, '..');
const FILE = join(FOLDER, 'catalogues.d.ts');

/** Leaves the file alone if it is up to date: type checks are incremental. */
export function writeTypes(): void {
  const text = typesOf(listCatalogues(FOLDER, 'en'));
  if (text !== readIfPresent(FILE)) writeFileSync(FILE, text);
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
