/**
 * Builds the daemon and its command line into `dist/daemon`: a few files in place of a thousand, whose reading and
 * linking took nearly half of every start. Packages stay where npm put them; `npm run typecheck` checks types.
 *
 * JavaScript, because rolldown writes a file beside a configuration in TypeScript, and `npm run demo` would take that
 * for a change of the sources.
 */
import { defineConfig } from 'rolldown';
import { bundledPackages } from './web/bundled-packages.js';

/**
 * Writes what Latin-1 lacks as escapes. V8 keeps a program's text for as long as it runs, with two bytes for each
 * character if one of them needs two: for the quotation marks of a few sentences, twice the memory.
 */
const oneByteText = {
  name: 'one-byte-text',
  renderChunk: (code) => ({
    code: code.replace(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    map: null,
  }),
};

const noSqlite = {
  name: 'no-sqlite',
  resolveId: (id) => (/^(?:bun|node):sqlite$/.test(id) ? `\0${id}` : null),
  load: (id) => (id.startsWith('\0') ? 'export const constants = {}, Database = null, DatabaseSync = null;' : null),
};

const daemon = defineConfig({
  // A worker thread is a program of its own. It lies beside what starts it, in the sources as here.
  input: { cli: 'src/cli/cli.ts', 'yaml-worker': 'src/app/automations/flows/yaml-worker.js' },
  platform: 'node',
  // Whatever does not begin with a dot or a slash is a package, or Node's own.
  external: /^(?![./])/,
  tsconfig: 'tsconfig.json',
  transform: { target: 'node20' },
  plugins: [oneByteText],
  output: {
    // They would stay in memory too; the maps lead to the sources.
    comments: { legal: true, annotation: true, jsdoc: false },
    dir: 'dist/daemon',
    // All in one folder, one below `dist`: `kernel/program-folder.ts` counts on it.
    chunkFileNames: '[name]-[hash].js',
    sourcemap: true,
    // Traces name functions as the sources do.
    keepNames: true,
  },
});

/**
 * The process of a Matter bridge, with its library: 5 MB in place of 144 that would have to be installed. SQLite of other
 * engines is one of the library's storages, which are not used.
 */
const matterChild = defineConfig({
  input: { 'matter-child': 'src/drivers/matter/child/main.ts' },
  platform: 'node',
  external: /^node:(?!sqlite$)/,
  tsconfig: 'tsconfig.json',
  transform: { target: 'node20' },
  plugins: [noSqlite, oneByteText, bundledPackages()],
  output: {
    comments: { legal: true, annotation: true, jsdoc: false },
    dir: 'dist/daemon',
    codeSplitting: false,
    keepNames: true,
  },
});

export default [daemon, matterChild];
