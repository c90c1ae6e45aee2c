/** Finds the page's script, if it was built: Vite names it by its content. */
import { readManifest } from '../pages/pages.ts';

const SCRIPT = /^assets\/share-[\w-]{8}\.js$/;

/** @returns its path; `undefined` if it is not built, and the page works without it. */
export function findScript(pagesDirectory: string): string | undefined {
  const script = [...readManifest(pagesDirectory).keys()].find((path) => SCRIPT.test(path));
  return script && `/${script}`;
}
