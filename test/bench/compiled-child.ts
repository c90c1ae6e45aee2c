import { join, resolve } from 'node:path';
import { build } from 'rolldown';

const FOLDER = resolve(import.meta.dirname, '../../node_modules/.cache/bench');

/**
 * Compiles a child process, so that neither its start nor its memory has the loader of TypeScript in it.
 *
 * @param name of a file in this folder, without its extension
 * @returns where it lies; packages are found from there
 */
export async function compileChild(name: string): Promise<string> {
  const file = join(FOLDER, `${name}.mjs`);
  await build({
    input: join(import.meta.dirname, `${name}.ts`),
    platform: 'node',
    external: /^[^./]/,
    output: { file, format: 'esm', codeSplitting: false },
  });
  return file;
}
