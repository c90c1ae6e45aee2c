/** A group of processes that gets a share of one processor, as Linux limits it: for slow computers on a fast one. */
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = '/sys/fs/cgroup';
const PERIOD_US = 100_000;

export class CpuLimit {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param share of one processor. @returns `undefined` where this user may make no such group */
  static create(share: number): CpuLimit | undefined {
    const quota = Math.round(share * PERIOD_US);
    const isSecond = existsSync(join(ROOT, 'cgroup.controllers'));
    const folder = join(ROOT, isSecond ? '' : 'cpu', `hearthd-bench-${process.pid}`);
    try {
      mkdirSync(folder);
      if (isSecond) writeFileSync(join(folder, 'cpu.max'), `${quota} ${PERIOD_US}`);
      else {
        writeFileSync(join(folder, 'cpu.cfs_period_us'), String(PERIOD_US));
        writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(quota));
      }
      return new CpuLimit(folder);
    } catch {
      if (existsSync(folder)) rmdirSync(folder);
      return undefined;
    }
  }

  add(pid: number): void {
    writeFileSync(join(this.#folder, 'cgroup.procs'), String(pid));
  }

  /** Once its processes have ended. */
  remove(): void {
    rmdirSync(this.#folder);
  }
}
