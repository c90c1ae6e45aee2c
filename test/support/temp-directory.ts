import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TempDirectory extends Disposable {
  /** Absolute. */
  readonly path: string;
  /** A path inside it; nothing is created. */
  file(...names: string[]): string;
  remove(): void;
}

/** A new, private directory under the system's temporary one. Remove it in `afterEach`, or declare it with `using`. */
export function createTempDirectory(label = 'test'): TempDirectory {
  const path = mkdtempSync(join(tmpdir(), `hearthd-${label}-`));
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  return { path, file: (...names) => join(path, ...names), remove, [Symbol.dispose]: remove };
}
