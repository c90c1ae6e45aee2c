import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltProgram, buildProgram } from '../support/built-daemon.ts';
import { ROOT } from '../support/built-once.ts';

let program: BuiltProgram;
let folder: string;

beforeAll(() => {
  program = buildProgram();
  folder = join(dirname(program.path), '../dist/daemon');
}, 120_000);
afterAll(() => program[Symbol.dispose]());

describe('the built program', () => {
  it('is ASCII, so that its text takes one byte of memory for each character', () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
    expect(files.length).toBeGreaterThan(10);
    const others = files.filter((name) => readFileSync(join(folder, name)).some((byte) => byte > 0x7f));
    expect(others).toEqual([]);
  });

  it('imports only packages that are installed with it, in the version that it was built for', () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      dependencies: Readonly<Record<string, string>>;
    };
    const files = readdirSync(folder).filter((name) => /^(?!matter-child).*\.js$/.test(name));
    const imported = files.flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return [...text.matchAll(/^import (?:[^"\n]* from )?"([^".][^"]*)";$/gm)].map(([, id = '']) => id);
    });
    const packages = imported
      .filter((id) => !id.startsWith('node:'))
      .map((id) => id.split('/', id[0] === '@' ? 2 : 1).join('/'));
    expect(packages).toContain('better-sqlite3');
    expect(packages).not.toContain('zod');

    expect(packages.filter((name) => !(name in dependencies) && !isBuiltin(name))).toEqual([]);
  });
});
