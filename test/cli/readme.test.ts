import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Cli } from '../../src/cli/action.ts';
import { createProgram } from '../../src/cli/cli.ts';
import { EXIT_MEANINGS } from '../../src/cli/exit-codes.ts';
import { flagOf, SETTINGS, variableOf } from '../../src/config/settings.ts';
import { createTerminal } from './running-daemon.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const readme = readFileSync(resolve(ROOT, 'README.md'), 'utf8');

describe('the README', () => {
  it.each(SETTINGS.map(({ name, list, isSecret }) => [name, list, isSecret ?? false] as const))(
    'has the setting %s with its flag and variable',
    (name, list, isSecret) => {
      const flag = isSecret ? '–' : `\`${flagOf(name)}\`${list ? '*' : ''}`;
      expect(readme).toContain(`| \`${name}\` | ${flag} | \`${variableOf(name)}\` |`);
    },
  );

  it('has every exit code with its meaning', () => {
    for (const [code, meaning] of EXIT_MEANINGS) expect(readme).toContain(`| ${code} | ${meaning} |`);
  });

  it('has every command with its arguments and subcommands', () => {
    for (const command of createProgram(new Cli(createTerminal(), {})).commands) {
      const usage = command.registeredArguments.map((argument) =>
        argument.argChoices ? argument.argChoices.join('\\|') : `<${argument.name()}${argument.variadic ? '...' : ''}>`,
      );
      const subcommands = command.commands.map((child) => child.name()).join('\\|');
      expect(readme).toContain(
        `| \`${['hearthd', command.name(), ...usage, subcommands].filter((word) => word !== '').join(' ')}`,
      );
    }
  });

  it('names only scripts and flags that exist', () => {
    const scripts = Object.keys(
      (JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8')) as { scripts: object }).scripts,
    );
    for (const [, script = ''] of readme.matchAll(/npm run ([a-z]+)/g)) expect(scripts).toContain(script);
    const flags = new Set<string | undefined>();
    const collect = (command: ReturnType<typeof createProgram>): void => {
      for (const option of command.options) flags.add(option.long);
      for (const child of command.commands) collect(child as ReturnType<typeof createProgram>);
    };
    collect(createProgram(new Cli(createTerminal(), {})));
    const lines = readme
      .split('\n')
      .filter((line) => /hearthd (start|discover|pair|unpair|set|token|accessor|home|room|doctor)/.test(line));
    for (const line of lines) {
      for (const [flag] of line.matchAll(/(?<=[\s`])--[a-z-]+/g)) {
        if (!['--help', '--no-create-home', '--shell', '--system', '--home-dir'].includes(flag))
          expect([...flags], line).toContain(flag);
      }
    }
  });

  it('links to headings that are there', () => {
    const anchors = [...readme.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    );
    for (const [, anchor = ''] of readme.matchAll(/\]\(#([^)]+)\)/g)) expect(anchors).toContain(anchor);
  });
});

describe('the map in src/README.md', () => {
  const map = readFileSync(resolve(ROOT, 'src/README.md'), 'utf8');

  it('names only files that are there', () => {
    const files = ['src', 'test'].flatMap((folder) =>
      readdirSync(resolve(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => `/${folder}/${file}`),
    );
    const named = [...map.matchAll(/`([a-z0-9/-]+\.ts)`/g)].map(([, file = '']) => file);
    expect(named.length).toBeGreaterThan(30);
    for (const file of named)
      expect(
        files.some((path) => path.endsWith(`/${file}`)),
        file,
      ).toBe(true);
  });
});
