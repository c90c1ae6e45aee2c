import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { run } from './running-daemon.ts';

const has = (program: string): boolean => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

async function script(shell: 'bash' | 'zsh'): Promise<string> {
  const { code, out } = await run('/nowhere', ['completion', shell]);
  expect(code).toBe(0);
  return out;
}

describe('the bash completion', () => {
  it('is a script that bash accepts', async ({ skip }) => {
    skip(!has('bash'), 'there is no bash here');
    execFileSync('bash', ['-n'], { input: await script('bash') });
  });

  it.each([
    ['hearthd ', ['accessories', 'doctor', 'start', 'token']],
    ['hearthd to', ['token']],
    ['hearthd token ', ['create', 'list', 'revoke']],
    ['hearthd token create --e', ['--expires']],
    ['hearthd --json token create --h', ['--home', '--help']],
    ['hearthd home pa', ['pause']],
    ['hearthd start --log-', ['--log-level', '--log-format']],
    ['hearthd completion ', ['bash', 'zsh']],
  ])('completes "%s"', async (line, expected) => {
    if (!has('bash')) return;
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
    skip(!has('zsh'), 'there is no zsh here');
    execFileSync('zsh', ['-n', '/dev/stdin'], { input: await script('zsh') });
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
