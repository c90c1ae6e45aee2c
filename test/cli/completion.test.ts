import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createTempDirectory } from '../support/temp-directory.ts';
import { run } from './running-daemon.ts';

/** CI forbids skipping: a missing part fails the test. */
const REQUIRED = process.env.HEARTHD_REQUIRE_ALL === '1';

const isMissing = (shell: string): boolean =>
  !REQUIRED && spawnSync(shell, ['--version'], { stdio: 'ignore' }).status !== 0;

/** What is typed so far, and what must be among the offers. */
const LINES: readonly (readonly [string, readonly string[]])[] = [
  ['hearthd ', ['accessories', 'doctor', 'start', 'token']],
  ['hearthd to', ['token']],
  ['hearthd token ', ['create', 'list', 'revoke']],
  ['hearthd token create --e', ['--expires']],
  ['hearthd --json token create --h', ['--home', '--help']],
  ['hearthd home pa', ['pause']],
  ['hearthd start --log-', ['--log-level', '--log-format']],
  ['hearthd completion ', ['bash', 'zsh', 'fish']],
];

async function script(shell: 'bash' | 'zsh' | 'fish'): Promise<string> {
  const { code, out } = await run('/nowhere', ['completion', shell]);
  expect(code).toBe(0);
  return out;
}

describe('the bash completion', () => {
  it('is a script that bash accepts', async ({ skip }) => {
    skip(isMissing('bash'), 'there is no bash here');
    execFileSync('bash', ['-n'], { input: await script('bash') });
  });

  it.for(LINES)('completes "%s"', async ([line, expected], { skip }) => {
    skip(isMissing('bash'), 'there is no bash here');
    const words = line.split(' ');
    const driver = `${await script('bash')}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_hearthd; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const offered = execFileSync('bash', ['-c', driver], { encoding: 'utf8' }).trim().split('\n');
    for (const word of expected) expect(offered).toContain(word);
    const typed = words.at(-1) ?? '';
    for (const word of offered) expect(word.startsWith(typed)).toBe(true);
  });
});

describe('the zsh completion', () => {
  it('is a script that zsh accepts', async ({ skip }) => {
    skip(isMissing('zsh'), 'there is no zsh here');
    using directory = createTempDirectory('zsh');
    const file = directory.file('_hearthd');
    writeFileSync(file, await script('zsh'));
    execFileSync('zsh', ['-n', file]);
  });

  it.for(LINES)('offers what "%s" may go on with', async ([line, expected], { skip }) => {
    skip(isMissing('zsh'), 'there is no zsh here');
    const words = line.split(' ');
    // Stand-ins for zsh's completion system: print what would be offered, which it then narrows down by itself.
    const driver = `compdef() { :; }; _default() { :; }; _describe() { print -rl -- "\${(@P)@[-1]}"; }
${await script('zsh')}
words=(${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length}; _hearthd`;
    const offered = execFileSync('zsh', ['-f', '-c', driver], { encoding: 'utf8' }).trim().split('\n');
    for (const word of expected) expect(offered.map((text) => text.split(':')[0])).toContain(word);
  });

  it('has every command with its meaning, apostrophes and colons quoted', async () => {
    const text = await script('zsh');
    expect(text).toMatch(/^#compdef hearthd\n/);
    expect(text).toContain("'token:create, list or revoke access tokens'");
    expect(text).toContain("'token create') commands=()");
    // Every line balances its quotes: an odd one would swallow the next.
    for (const line of text.split('\n'))
      expect((line.replaceAll("'\\''", '').match(/'/g) ?? []).length % 2, line).toBe(0);
  });
});

describe('the fish completion', () => {
  it('is a script that fish accepts', async ({ skip }) => {
    skip(isMissing('fish'), 'there is no fish here');
    using directory = createTempDirectory('fish');
    const file = directory.file('hearthd.fish');
    writeFileSync(file, await script('fish'));
    execFileSync('fish', ['--no-execute', file]);
  });

  it.for(LINES)('completes "%s"', async ([line, expected], { skip }) => {
    skip(isMissing('fish'), 'there is no fish here');
    using directory = createTempDirectory('fish');
    const file = directory.file('hearthd.fish');
    writeFileSync(file, await script('fish'));
    // Nothing of the person who runs the tests: no configuration, no history.
    const env = { PATH: process.env.PATH, HOME: directory.path, XDG_CONFIG_HOME: directory.path, TERM: 'dumb' };
    const { stdout, stderr } = spawnSync('fish', ['-c', `source ${file}; complete -C '${line}'`], {
      encoding: 'utf8',
      env,
    });
    expect(stderr).toBe('');
    const offered = stdout
      .trim()
      .split('\n')
      .map((text) => text.split('\t')[0] ?? '');
    for (const word of expected) expect(offered).toContain(word);
    const typed = line.split(' ').at(-1) ?? '';
    for (const word of offered) expect(word.startsWith(typed)).toBe(true);
  });

  it('describes each command and option, apostrophes quoted', async () => {
    const text = await script('fish');
    expect(text).toContain("'token' 'create, list or revoke access tokens'");
    const start = text.split('\n').findIndex((line) => line.trim() === "case 'token create'");
    expect(text.split('\n')[start + 1]).toContain("'--expires' '");
  });
});
