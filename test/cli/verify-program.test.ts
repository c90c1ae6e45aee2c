import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FILE_LIST, hashOf, verifyProgram } from '../../src/cli/verify-program.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { run } from './running-daemon.ts';

const FILES = ['bin/hearthd.js', 'dist/daemon/cli.js', 'node_modules/a b/index.js'];

let directory: TempDirectory;

beforeEach(() => {
  directory = createTempDirectory('verify');
  for (const path of FILES) {
    mkdirSync(join(directory.file(path), '..'), { recursive: true });
    writeFileSync(directory.file(path), path);
  }
  const lines = FILES.map((path) => `${hashOf(directory.file(path))}  ${path}\n`);
  writeFileSync(directory.file(FILE_LIST), lines.join(''));
});

afterEach(() => directory.remove());

describe('an installed program', () => {
  it('is whole as the package brought it', () => {
    const list = hashOf(directory.file(FILE_LIST));
    expect(verifyProgram(directory.path)).toEqual({ list, unchanged: 3, changed: [], missing: [], added: [] });
  });

  it('shows files that were changed, removed and added', () => {
    writeFileSync(directory.file('dist/daemon/cli.js'), 'other');
    rmSync(directory.file('node_modules/a b/index.js'));
    writeFileSync(directory.file('dist/extra.js'), '');
    expect(verifyProgram(directory.path)).toMatchObject({
      unchanged: 1,
      changed: ['dist/daemon/cli.js'],
      missing: ['node_modules/a b/index.js'],
      added: ['dist/extra.js'],
    });
  });

  it('can not be compared without a list', async () => {
    rmSync(directory.file(FILE_LIST));
    expect(verifyProgram(directory.path)).toBeUndefined();
    const { code, err } = await run(directory.path, ['version', '--verify']);
    expect([code, err]).toEqual([4, expect.stringContaining('git status')]);
  });
});
