/**
 * Encrypted backups. A sealed file is, in this order:
 *
 * | bytes | content |
 * |---|---|
 * | 15 | `hearthd-backup\n` |
 * | 1 | the format's version, 1 |
 * | 16 | salt |
 * | 12 | nonce |
 * | … | the database, encrypted with AES-256-GCM |
 * | 16 | its authentication tag, over everything before it |
 *
 * scrypt (RFC 7914) derives the key from the password with N = 2^15, r = 8, p = 3 (OWASP's equivalent of 2^17 with a
 * quarter of the memory: 32 MB). Version 1 fixes these numbers: a file cannot request others. Without the password the
 * content can be neither read nor changed.
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { writeFileOf } from '../../kernel/write-file-of.ts';
import { type BackupFault, faultOfError, isRegularFile, startOf } from './inspect-backup.ts';

const MAGIC = Buffer.from('hearthd-backup\n', 'latin1');
const VERSION = 1;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = MAGIC.byteLength + 1 + SALT_BYTES + NONCE_BYTES;
const KEY_BYTES = 32;
const SCRYPT = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
const ALGORITHM = 'aes-256-gcm';

/** The password is wrong, or the file was changed or truncated; the two cannot be distinguished. */
export class UnsealError extends Error {
  override readonly name = 'UnsealError';
}

/** Whether a file is a sealed backup, of any version. */
export function isSealedFile(path: string): boolean {
  return startOf(path, MAGIC.byteLength).equals(MAGIC);
}

/** The fault of a sealed file that is visible without its password; `null` if there is none. */
export function faultOfSealed(path: string): BackupFault | null {
  try {
    if (!isRegularFile(path) || !isSealedFile(path)) return 'foreign';
    if (statSync(path).size < sealedLength(0)) return 'damaged';
    return startOf(path, HEAD_BYTES)[MAGIC.byteLength] === VERSION ? null : 'newer';
  } catch (error) {
    const fault = faultOfError(error);
    if (fault === undefined) throw error;
    return fault;
  }
}

/** The length of a file after sealing. */
export function sealedLength(bytes: number): number {
  return HEAD_BYTES + bytes + TAG_BYTES;
}

/** Reads a file and encrypts it as a stream. */
export async function sealedStream(path: string, password: string): Promise<Readable> {
  const head = Buffer.concat([MAGIC, Buffer.of(VERSION), randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)]);
  const cipher = createCipheriv(ALGORITHM, await keyFor(password, head), nonceOf(head));
  cipher.setAAD(head);
  return Readable.from(
    (async function* () {
      yield head;
      for await (const piece of createReadStream(path)) yield cipher.update(piece as Buffer);
      yield cipher.final();
      yield cipher.getAuthTag();
    })(),
    { objectMode: false },
  );
}

/**
 * Decrypts a sealed file into a new one, mode 0600. Do not use the output of a failed call.
 * @throws `UnsealError`
 */
export async function unseal(path: string, password: string, to: string): Promise<void> {
  if (faultOfSealed(path) !== null) throw new UnsealError('It is no encrypted backup that this version can read.');
  const head = startOf(path, HEAD_BYTES);
  const { size } = statSync(path);
  const decipher = createDecipheriv(ALGORITHM, await keyFor(password, head), nonceOf(head));
  decipher.setAAD(head);
  decipher.setAuthTag(await lastBytes(path, size));
  // Both ends are inclusive. An empty content needs no read.
  const end = size - TAG_BYTES - 1;
  const content = end < HEAD_BYTES ? Readable.from([]) : createReadStream(path, { start: HEAD_BYTES, end });
  try {
    await writeFileOf(to, content, decipher);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) throw error;
    throw new UnsealError('The password is wrong, or the file was changed.', { cause: error });
  }
}

async function lastBytes(path: string, size: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of createReadStream(path, { start: size - TAG_BYTES })) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** Another keyboard may compose the same password differently (RFC 8265 §4.2.1). */
function keyFor(password: string, head: Buffer): Promise<Buffer> {
  const salt = head.subarray(MAGIC.byteLength + 1, MAGIC.byteLength + 1 + SALT_BYTES);
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, KEY_BYTES, SCRYPT, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

function nonceOf(head: Buffer): Buffer {
  return head.subarray(HEAD_BYTES - NONCE_BYTES);
}
