/** The status of the data directory, for admins. */
import { readdir, statfs } from 'node:fs/promises';

/** The suffix that recovery gives to a damaged database file, without its companion files. */
const SET_ASIDE = /\.damaged-[^-]+$/;

/** The size of the directory's disk and its free space, in bytes; `null` if the system does not report them. */
export async function diskOf(
  directory: string,
): Promise<{ readonly freeBytes: number; readonly totalBytes: number } | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(directory);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return null;
  }
}

/** Names of the damaged databases in the directory. */
export async function setAsideIn(directory: string): Promise<readonly string[]> {
  try {
    return (await readdir(directory)).filter((name) => SET_ASIDE.test(name)).sort();
  } catch {
    return [];
  }
}
