/**
 * Makes a module of each catalogue: `texts:<name>` has English in it and imports the other languages,
 * `texts:<name>/<language>`, when they are needed.
 */
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { readCatalogue } from '../catalogue-files.ts';
import { compileCatalogue } from '../compile.ts';
import { LANGUAGES } from '../languages.ts';
import { writeModules } from './write-modules.ts';

const FOLDER = resolve(import.meta.dirname, '..');
const PREFIX = '\0texts:';

/** @param allAtOnce for tests: every language is there at once. */
export function texts({ allAtOnce = false } = {}): Plugin {
  return {
    name: 'hearthd-texts',
    buildStart: writeModules,
    handleHotUpdate: writeModules,
    resolveId: (id) => (id.startsWith('texts:') ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(PREFIX)) return;
      const [name = '', language] = id.slice(PREFIX.length).split('/');
      const compiled = (language: string) => {
        this.addWatchFile(join(FOLDER, language, `${name}.json`));
        return JSON.stringify(compileCatalogue(readCatalogue(FOLDER, language, name)));
      };
      if (language !== undefined) return `export default ${compiled(language)};`;
      const sources = Object.keys(LANGUAGES).map((language) =>
        language === 'en' || allAtOnce
          ? `${language}: ${compiled(language)}`
          : `${language}: async () => (await import('texts:${name}/${language}')).default`,
      );
      const module = JSON.stringify(join(FOLDER, 'texts.ts'));
      return `import { Texts } from ${module};\nexport default new Texts({ ${sources.join(', ')} });`;
    },
  };
}
