import { HearthError } from '../../kernel/errors.ts';

/** Errors of a disk that rejects writes: full, over its quota, read-only or failing. */
const CODES = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'];

/** Converts a system error of a failed write caused by the disk to a readable error; anything else stays unchanged. */
export function explainDiskError(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || !CODES.includes(code)) return error;
  const sentence = 'The backup can’t be kept: the disk is full or can’t be written. Nothing was changed.';
  return new HearthError('storage_unavailable', sentence, {}, { cause: error });
}
