import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Cli } from '../../src/cli/action.ts';
import { createProgram } from '../../src/cli/cli.ts';
import { EXIT_MEANINGS } from '../../src/cli/exit-codes.ts';
import { flagOf, SETTINGS, variableOf } from '../../src/config/settings.ts';
import { createTerminal } from './running-daemon.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const MANUAL = 'src/docs/manual';

function read(path: string): string {
  return readFileSync(resolve(ROOT, path), 'utf8');
}

const readme = read('README.md');
const topics = readdirSync(resolve(ROOT, MANUAL))
  .filter((file) => file.endsWith('.md'))
  .map((file) => `${MANUAL}/${file}`);
/** All places that show people which commands to type. */
const instructions = ['README.md', 'CONTRIBUTING.md', ...topics].map(read).join('\n');

describe('the README', () => {
  it('has at most 150 lines', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });

  it('begins with the two commands, before any other', () => {
    const [, first] = /```sh\n([\s\S]*?)```/.exec(readme) ?? [];
    expect(first?.split('\n').map((line) => line.replace(/ *#.*/, ''))).toEqual([
      'npm ci && npm run demo',
      'npm ci && npm test',
      '',
    ]);
  });

  it('leads to every topic of the manual', () => {
    for (const topic of topics) expect(readme).toContain(`](${topic}`);
  });
});

describe('the manual', () => {
  const settings = read(`${MANUAL}/settings.md`);
  const cli = read(`${MANUAL}/cli.md`);

  it('has every topic in its table of contents', () => {
    const contents = read(`${MANUAL}/index.md`);
    for (const topic of topics.filter((path) => !path.endsWith('/index.md')))
      expect(contents).toContain(`](${topic.slice(MANUAL.length + 1)})`);
  });

  it.each(SETTINGS.map(({ name, list, isSecret }) => [name, list, isSecret ?? false] as const))(
    'has the setting %s with its flag and variable',
    (name, list, isSecret) => {
      const flag = isSecret ? '–' : `\`${flagOf(name)}\`${list ? '*' : ''}`;
      expect(settings).toContain(`| \`${name}\` | ${flag} | \`${variableOf(name)}\` |`);
    },
  );

  it('has every exit code with its meaning', () => {
    for (const [code, meaning] of EXIT_MEANINGS) expect(cli).toContain(`| ${code} | ${meaning} |`);
  });

  it('has every command with its arguments and subcommands', () => {
    for (const command of createProgram(new Cli(createTerminal(), {})).commands) {
      const usage = command.registeredArguments.map((argument) =>
        argument.argChoices ? argument.argChoices.join('\\|') : `<${argument.name()}${argument.variadic ? '...' : ''}>`,
      );
      const subcommands = command.commands.map((child) => child.name()).join('\\|');
      expect(cli).toContain(
        `| \`${['hearthd', command.name(), ...usage, subcommands].filter((word) => word !== '').join(' ')}`,
      );
    }
  });

  it('names only scripts and flags that exist', () => {
    const scripts = Object.keys(
      (JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8')) as { scripts: object }).scripts,
    );
    for (const [, script = ''] of instructions.matchAll(/npm run ([a-z][a-z-]*)/g)) expect(scripts).toContain(script);
    const program = createProgram(new Cli(createTerminal(), {}));
    const usages = [...instructions.matchAll(/\bhearthd ([a-z][a-z-]*)((?:[^\n`|]|\\\|)*)/g)].filter(([, name = '']) =>
      program.commands.some((command) => command.name() === name),
    );
    expect(usages.length).toBeGreaterThan(100);
    for (const [usage, name = '', rest = ''] of usages) {
      const command = program.commands.find((candidate) => candidate.name() === name);
      const [word = ''] = rest.trim().split(/[ |]/);
      const child = command?.commands.find((candidate) => candidate.name() === word);
      const known = [...program.options, ...(command?.options ?? []), ...(child?.options ?? [])].map(
        ({ long }) => long,
      );
      const text = rest.replace(/ # .*| {2,}#.*/, '');
      for (const [flag] of text.matchAll(/(?<=\s)--[a-z-]+/g))
        if (flag !== '--help') expect(known, usage).toContain(flag);
    }
  });
});

describe.each([
  ['src/README.md', 30],
  ['CONTRIBUTING.md', 30],
  ['test/README.md', 30],
])('the map in %s', (path, least) => {
  it('names only files that are there', () => {
    const files = ['src', 'test'].flatMap((folder) =>
      readdirSync(resolve(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => `/${folder}/${file}`),
    );
    const named = [...read(path).matchAll(/`([a-z0-9/-]+\.tsx?)`/g)].map(([, file = '']) => file);
    expect(named.length).toBeGreaterThan(least);
    for (const file of named)
      expect(
        files.some((candidate) => candidate.endsWith(`/${file}`)),
        file,
      ).toBe(true);
  });

  it('names only folders that are there', () => {
    const folders = [...read(path).matchAll(/`((?:src|test)\/[a-z0-9/-]+)`/g)].map(([, folder = '']) => folder);
    for (const folder of folders) expect(existsSync(resolve(ROOT, folder)), folder).toBe(true);
  });
});
