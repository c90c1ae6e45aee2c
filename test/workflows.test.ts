import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ARCHITECTURES } from '../.ci/package/architectures.ts';
import { ROOT } from './support/built-once.ts';

const WORKFLOWS = join(ROOT, '.github/workflows');
/** A tag can be moved to other code; a commit can't. */
const PINNED = /^[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

it('every action of the workflows is pinned to a commit, with its version beside it', () => {
  const uses = readdirSync(WORKFLOWS).flatMap((file) =>
    [...readFileSync(join(WORKFLOWS, file), 'utf8').matchAll(/^\s*(?:- )?uses:\s*(.*)$/gm)].map(
      ([, action = '']) => action,
    ),
  );
  expect(uses.length).toBeGreaterThan(5);
  expect(uses.filter((action) => !PINNED.test(action) && !action.startsWith('./'))).toEqual([]);
});

it('a release has packages and an image for every architecture that packages are made for', () => {
  const release = readFileSync(join(WORKFLOWS, 'release.yml'), 'utf8');
  const made = [...release.matchAll(/^\s*- \{ arch: (\w+), cpu: (\w+), /gm)].map(([, debian, arch]) => [arch, debian]);
  expect(made).toEqual(Object.entries(ARCHITECTURES).map(([arch, { debian }]) => [arch, debian]));
  const platforms = /docker buildx build --platform (\S+)/.exec(release)?.[1];
  expect(platforms).toBe(
    Object.values(ARCHITECTURES)
      .map(({ image }) => image)
      .join(),
  );
  // A name that the matrix lacks would be empty.
  expect(release.match(/--arch \$\{\{ matrix\.cpu \}\}/g)).toHaveLength(2);
});

it('the job that publishes waits for all the others', () => {
  const release = readFileSync(join(WORKFLOWS, 'release.yml'), 'utf8');
  const jobs = [...release.slice(release.indexOf('\njobs:')).matchAll(/^ {2}(\w+):$/gm)].map(([, job]) => job);
  const waited = /^ {4}needs: \[(.+)\]$/m.exec(release)?.[1]?.split(', ');
  expect(waited).toEqual(jobs.filter((job) => job !== 'release'));
});
