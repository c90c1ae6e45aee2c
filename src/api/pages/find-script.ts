/** Finds the script of a page that the relay renders, if it was built: Vite names it by its content. */
import { readManifest } from './pages.ts';

/**
 * @param name of the input in `web/vite.config.ts`.
 * @returns its path; `undefined` if it is not built, and the page works without it.
 */
export function findScript(pagesDirectory: string, name: 'share' | 'passkey-sign-in'): string | undefined {
  const script = new RegExp(`^assets/${name}-[\\w-]{8}\\.js$`);
  const found = [...readManifest(pagesDirectory).keys()].find((path) => script.test(path));
  return found && `/${found}`;
}
