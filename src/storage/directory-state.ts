/** What the data directory says of itself to those who look after the relay. */
import { readdir, statfs } from 'node:fs/promises';

/** How recovery names what it sets aside, without what belongs to it. */
const SET_ASIDE = /\.damaged-[^-]+$/;

/** Of the disk that it is on, in bytes; `null` where the system does not say. */
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

/** Names of databases in it that were damaged. */
export async function setAsideIn(directory: string): Promise<readonly string[]> {
  try {
    return (await readdir(directory)).filter((name) => SET_ASIDE.test(name)).sort();
  } catch {
    return [];
  }
}
