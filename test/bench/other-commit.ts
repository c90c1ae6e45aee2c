/** Another commit, built beside this one in a working tree that is removed afterwards. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const LOCK_FILE = 'package-lock.json';

export class OtherCommit {
  /** As the caller named it, with its hash. */
  readonly name: string;
  readonly #parent = mkdtempSync(join(tmpdir(), 'hearthd-compare-'));
  readonly #tree = join(this.#parent, 'tree');
  /** Also where the process ends early. */
  readonly #onExit = (): void => this.remove();

  /** @param ref what git names a commit by: `main~3`, a tag, a hash */
  constructor(ref: string) {
    process.once('exit', this.#onExit);
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
    const hash = git('rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`);
    this.name = `${ref} (${hash.slice(0, 9)})`;
    git('worktree', 'add', '--quiet', '--detach', this.#tree, hash);
    this.#install();
    this.#run('npm', 'run', '--silent', 'build');
  }

  /** `bin/hearthd.js` of its build. */
  get program(): string {
    return join(this.#tree, 'bin/hearthd.js');
  }

  remove(): void {
    process.off('exit', this.#onExit);
    rmSync(this.#parent, { recursive: true, force: true });
    git('worktree', 'prune');
  }

  /** Packages of the same versions are linked and not installed again. Its build writes none of them. */
  #install(): void {
    const [ours, theirs] = [ROOT, this.#tree].map((folder) => readFileSync(join(folder, LOCK_FILE), 'utf8'));
    if (ours === theirs) this.#run('cp', '-al', join(ROOT, 'node_modules'), 'node_modules');
    else this.#run('npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund');
  }

  #run(command: string, ...args: readonly string[]): void {
    execFileSync(command, args, { cwd: this.#tree, stdio: ['ignore', 'ignore', 'inherit'] });
  }
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}
