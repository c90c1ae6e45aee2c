/** Where the browser finds the page's script, if it was built: Vite names it after its content. */
import { readFileSync } from 'node:fs';

const SCRIPT = /^assets\/share-[\w-]{8}\.js$/;

/** @returns its address; `undefined` where nothing is built, and the page does without. */
export function findScript(pagesDirectory: string): string | undefined {
  try {
    // Our own build's file, beside our own code: it needs no schema.
    const list = JSON.parse(readFileSync(`${pagesDirectory}/manifest.json`, 'utf8')) as readonly {
      readonly path: string;
    }[];
    const script = list.find(({ path }) => SCRIPT.test(path));
    return script && `/${script.path}`;
  } catch {
    return undefined;
  }
}
