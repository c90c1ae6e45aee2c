import { HearthError } from '../../kernel/errors.ts';

/** Of a disk that takes nothing: full, over its quota, read-only or failing. */
const CODES = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'];

/** What the system says when a file can't be written because of the disk, as an error for people; anything else stays as it is. */
export function explainDiskError(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || !CODES.includes(code)) return error;
  const sentence = 'The backup can’t be kept: the disk is full or can’t be written. Nothing was changed.';
  return new HearthError('storage_unavailable', sentence, {}, { cause: error });
}
