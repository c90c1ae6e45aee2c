/**
 * A file system of the daemon's data alone, in memory, that can be full. It takes the right to mount, which
 * `npm run endurance` has by mounts of its own (`start.sh`). Everything in it is gone with the process.
 */
import { execFileSync } from 'node:child_process';
import { statfsSync } from 'node:fs';

const MB = 1024 * 1024;
/** More than a run writes; it takes only as much memory as is written. */
const SIZE_BYTES = 1024 * MB;
const TRIES = 200;

export class SmallDisk implements Disposable {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /** @returns nothing where this process may not mount */
  static mount(path: string): SmallDisk | undefined {
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_BYTES},mode=700`, 'none', path], { stdio: 'ignore' });
    } catch {
      return undefined;
    }
    return new SmallDisk(path);
  }

  /** Makes it as small as what is on it: not a byte more fits. */
  fill(): void {
    for (let tries = 1; ; tries += 1) {
      const { blocks, bfree, bsize } = statfsSync(this.#path);
      try {
        this.#resize((blocks - bfree) * bsize);
        return;
      } catch (error) {
        // It holds more by now.
        if (tries === TRIES) throw error;
      }
    }
  }

  makeRoom(): void {
    this.#resize(SIZE_BYTES);
  }

  [Symbol.dispose](): void {
    execFileSync('umount', ['-l', this.#path], { stdio: 'ignore' });
  }

  #resize(bytes: number): void {
    execFileSync('mount', ['-o', `remount,size=${bytes}`, this.#path], { stdio: 'ignore' });
  }
}
