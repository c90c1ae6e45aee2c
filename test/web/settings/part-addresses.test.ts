/** Links to a part of the settings: on phones it is folded unless the address names it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SUBJECTS } from '../../../src/web/dashboard/pages/settings/relay/relay-settings.ts';
import { ROOT } from '../../support/built-once.ts';

const DASHBOARD = join(ROOT, 'src/web/dashboard');

/** The folder of each page, within `pages/settings`. */
const FOLDERS: Readonly<Record<string, string>> = {
  '/settings': '.',
  '/settings/home': 'home',
  '/settings/relay': 'relay',
};

/** The first group of each match in the files of a folder. */
function found(pattern: RegExp, folder: string, recursive = false): readonly string[] {
  const files = readdirSync(join(DASHBOARD, folder), { recursive, encoding: 'utf8' });
  return files
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => [...readFileSync(join(DASHBOARD, folder, file), 'utf8').matchAll(pattern)])
    .map(([, text = '']) => text);
}

it('links to parts of the settings name parts that exist', () => {
  const parts = Object.entries(FOLDERS).flatMap(([page, folder]) =>
    found(/Section\s+id="([\w-]+)"/g, `pages/settings/${folder}`).map((id) => `${page}#${id}`),
  );
  const subjects = Object.keys(SUBJECTS).map((subject) => `/settings/relay#${subject}`);
  const links = found(/['"](\/settings[\w/]*#[\w-]+)['"]/g, '.', true);
  expect(links).toContain('/settings#password');
  expect(links).toContain('/settings/home#place');
  expect(links.filter((link) => ![...parts, ...subjects].includes(link))).toEqual([]);
});
