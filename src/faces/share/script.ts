/** Where the browser finds the page's script, if it was built: Vite names it after its content. */
import { readManifest } from '../pages/pages.ts';

const SCRIPT = /^assets\/share-[\w-]{8}\.js$/;

/** @returns its address; `undefined` where nothing is built, and the page does without. */
export function findScript(pagesDirectory: string): string | undefined {
  const script = [...readManifest(pagesDirectory).keys()].find((path) => SCRIPT.test(path));
  return script && `/${script}`;
}
