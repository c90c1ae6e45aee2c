import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { listRecorded } from '../support/accessories/sample-databases.ts';
import { WORKS_WITH, worksWith } from './works-with.ts';

it('the page “Works with” is what the recordings make of it (npm run works-with)', () => {
  expect(readFileSync(WORKS_WITH, 'utf8')).toBe(worksWith());
});

it('the page “Works with” has a row and a part for each recorded device', () => {
  const page = worksWith();
  expect(page.match(/^\| \[/gm)).toHaveLength(listRecorded().length);
  expect(page.match(/^### /gm)).toHaveLength(listRecorded().length);
});
