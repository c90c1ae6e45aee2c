/**
 * Builds the daemon and its command line into `dist/daemon`: a few files in place of a thousand, whose reading and
 * linking took nearly half of every start. `npm run typecheck` checks types.
 *
 * JavaScript, because rolldown writes a file beside a configuration in TypeScript, and `npm run demo` would take that
 * for a change of the sources.
 */
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { defineConfig } from 'rolldown';
import { bundledPackages } from './web/bundled-packages.js';

/**
 * Packages that every start loads: as files of ours they take a fifth of its processor time less, and 15 MB. Others stay
 * where npm put them: what has native code or workers of its own, and what is loaded on demand.
 */
const BUNDLED = new Set([
  '@hono/node-server',
  '@marcbachmann/cel-js',
  'cli-table3',
  'commander',
  'hono',
  'ipaddr.js',
  'node-cron',
  'smol-toml',
  'standardwebhooks',
  'suncalc',
  'temporal-polyfill',
  'uqr',
  'yaml',
  'zod',
]);
const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/**
 * Writes what ASCII lacks as escapes. V8 keeps a program's text for as long as it runs, and Node hands it over with two
 * bytes for each character if one of them is not ASCII: for the quotation marks of a few sentences, twice the memory.
 */
const oneByteText = {
  name: 'one-byte-text',
  generateBundle: (_, bundle) => {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      chunk.code = chunk.code.replace(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};

const noSqlite = {
  name: 'no-sqlite',
  resolveId: (id) => (/^(?:bun|node):sqlite$/.test(id) ? `\0${id}` : null),
  load: (id) => (id.startsWith('\0') ? 'export const constants = {}, Database = null, DatabaseSync = null;' : null),
};

/** What a bundled package imports is bundled with it: beside the daemon there may be another version of it. */
function isExternal(id) {
  if (isBuiltin(id)) return true;
  const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(id) ?? [''];
  return name in dependencies && !BUNDLED.has(name);
}

const daemon = defineConfig({
  // A worker thread is a program of its own. It lies beside what starts it, in the sources as here.
  input: { cli: 'src/cli/cli.ts', 'yaml-worker': 'src/app/automations/flows/yaml-worker.js' },
  platform: 'node',
  external: isExternal,
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
