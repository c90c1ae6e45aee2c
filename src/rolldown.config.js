/**
 * Builds the daemon and its command line into `dist/daemon`: a few files in place of a thousand, whose reading and
 * linking took nearly half of every start. Packages stay where npm put them; `npm run typecheck` checks types.
 *
 * JavaScript, because rolldown writes a file beside a configuration in TypeScript, and `npm run demo` would take that
 * for a change of the sources.
 */
import { defineConfig } from 'rolldown';

export default defineConfig({
  // A worker thread is a program of its own. It lies beside what starts it, in the sources as here.
  input: { cli: 'src/cli/cli.ts', 'yaml-worker': 'src/app/automations/flows/yaml-worker.js' },
  platform: 'node',
  // Whatever does not begin with a dot or a slash is a package, or Node's own.
  external: /^(?![./])/,
  tsconfig: 'tsconfig.json',
  transform: { target: 'node20' },
  output: {
    dir: 'dist/daemon',
    // All in one folder, one below `dist`: `kernel/program-folder.ts` counts on it.
    chunkFileNames: '[name]-[hash].js',
    sourcemap: true,
    // Traces name functions as the sources do.
    keepNames: true,
  },
});
