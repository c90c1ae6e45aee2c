/**
 * A program in TypeScript as one file that Node runs as it is: for a test that starts it again and again. From the
 * sources, Node would load a thousand files each time, which takes three times as long.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { ROOT } from './built-once.ts';

export interface BundledProgram extends Disposable {
  readonly path: string;
}

export async function bundleProgram(file: string): Promise<BundledProgram> {
  const bundle = await rolldown({
    input: file,
    platform: 'node',
    external: (id) => !/^[./]/.test(id),
    plugins: [{ name: 'own-places', transform: (code, id) => inPlace(code, id) }],
  });
  // Below `node_modules`, so that it finds the packages.
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'hearthd-program-'));
  const path = join(folder, 'program.mjs');
  await bundle.write({ file: path, format: 'esm', codeSplitting: false });
  await bundle.close();
  return { path, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/** What lies beside a source is found there. */
function inPlace(code: string, id: string): string {
  return code
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)));
}
