/**
 * Receives an uploaded backup: chunk by chunk to the disk, never complete in memory, and never above the size limit.
 */
import { rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { HearthError } from '../../kernel/errors.ts';
import { writeFileOf } from '../../kernel/write-file-of.ts';
import type { BackupFolder } from './backup-folder.ts';
import { explainDiskError } from './disk-errors.ts';

/** A home with hundreds of accessories has about 3 MB; a larger file is not our backup. */
export const MAX_UPLOAD_BYTES = 256 * 1024 * 1024;

/**
 * @returns the path of a draft in the folder, mode 0600: the caller keeps or removes it.
 * @throws `payload_too_large` · `invalid_request` the upload was interrupted · `storage_unavailable` the disk is full
 */
export async function receiveBackup(folder: BackupFolder, body: AsyncIterable<Uint8Array>): Promise<string> {
  const draft = folder.draft();
  let size = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const piece of body) {
      size += piece.byteLength;
      if (size > MAX_UPLOAD_BYTES) throw tooLarge();
      yield piece;
    }
  }
  try {
    await writeFileOf(draft, Readable.from(counted(), { objectMode: false }));
    return draft;
  } catch (error) {
    rmSync(draft, { force: true });
    throw explain(error);
  }
}

export function tooLarge(): HearthError {
  return new HearthError('payload_too_large', `A backup may have ${MAX_UPLOAD_BYTES} bytes at most.`);
}

function explain(error: unknown): unknown {
  const explained = explainDiskError(error);
  if (explained instanceof HearthError) return explained;
  return new HearthError('invalid_request', 'The backup ended before its end was announced.', {}, { cause: error });
}
