/** Catalogues as files: `<language>/<name>.json`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalogue } from './compile.ts';

export function readCatalogue(folder: string, language: string, name: string): Catalogue {
  return JSON.parse(readFileSync(join(folder, language, `${name}.json`), 'utf8')) as Catalogue;
}

export function listCatalogues(folder: string, language: string): readonly string[] {
  const files = readdirSync(join(folder, language)).filter((file) => file.endsWith('.json'));
  return files.map((file) => file.slice(0, -'.json'.length)).sort();
}
