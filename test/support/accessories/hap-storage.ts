/**
 * HAP-NodeJS keeps its notes in one storage a process, from the first accessory to the end, each under the id of whose
 * it is.
 */
import { HAPStorage } from '@homebridge/hap-nodejs';
import { processDirectory } from '../run-directory.ts';

/** Of the process, not of this module: a test may load its modules again. */
const STORAGE = Symbol.for('hearthd test: storage of HAP-NodeJS');
const ofProcess = globalThis as { [STORAGE]?: string };

/** @throws `Error` this process has another one */
export function useHapStorage(directory: string): void {
  const storage = ofProcess[STORAGE];
  if (storage === directory) return;
  if (storage)
    throw new Error(`This process has a home in ${storage}; start another process, or give both one storage.`);
  HAPStorage.setCustomStoragePath(directory);
  ofProcess[STORAGE] = directory;
}

/** For homes that come and go in a test's process. */
export function testStorage(): string {
  return processDirectory('hap-nodejs');
}
