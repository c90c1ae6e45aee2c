/**
 * HAP-NodeJS keeps its notes in one storage a process, from the first accessory to the end, each under the id of whose
 * it is.
 */
import { HAPStorage } from '@homebridge/hap-nodejs';
import { processDirectory } from '../run-directory.ts';

let storage: string | undefined;

/** @throws `Error` this process has another one */
export function useHapStorage(directory: string): void {
  if (storage === directory) return;
  if (storage)
    throw new Error(`This process has a home in ${storage}; start another process, or give both one storage.`);
  HAPStorage.setCustomStoragePath(directory);
  storage = directory;
}

/** For homes that come and go in a test's process. */
export function testStorage(): string {
  return processDirectory('hap-nodejs');
}
