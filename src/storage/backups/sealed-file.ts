/**
 * Encrypted backups. A sealed file is, in this order:
 *
 * | bytes | what |
 * |---|---|
 * | 15 | `hearthd-backup\n` |
 * | 1 | the format's version, 1 |
 * | 16 | salt |
 * | 12 | nonce |
 * | … | the database, encrypted with AES-256-GCM |
 * | 16 | its authentication tag, over everything before it |
 *
 * The key comes from the password by scrypt (RFC 7914) with N = 2^15, r = 8, p = 3 (OWASP's equal of 2^17 with a quarter of the memory:
 * 32 MB). Version 1 means these numbers: a file can't ask for others. Without the password nothing in it can be read or changed.
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { writeFileOf } from '../../kernel/write-file-of.ts';
import { startOf } from './inspect-backup.ts';

const MAGIC = Buffer.from('hearthd-backup\n', 'latin1');
const VERSION = 1;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = MAGIC.byteLength + 1 + SALT_BYTES + NONCE_BYTES;
const KEY_BYTES = 32;
const SCRYPT = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
const ALGORITHM = 'aes-256-gcm';

/** The password is not the one that it was sealed with, or the file was changed or cut: which of them can't be told. */
export class UnsealError extends Error {
  override readonly name = 'UnsealError';
}

/** Whether a file is a sealed one, of whatever version. */
export function isSealedFile(path: string): boolean {
  return startOf(path, MAGIC.byteLength).equals(MAGIC);
}

/** How long the sealed form of a file is. */
export function sealedLength(bytes: number): number {
  return HEAD_BYTES + bytes + TAG_BYTES;
}

/** A file, encrypted while it is read. */
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
 * Decrypts a sealed file into a new one, mode 0600. What was written before a failure is not to be used.
 * @throws `UnsealError`
 */
export async function unseal(path: string, password: string, to: string): Promise<void> {
  const head = startOf(path, HEAD_BYTES);
  const { size } = statSync(path);
  const isOurs = head.subarray(0, MAGIC.byteLength).equals(MAGIC) && head[MAGIC.byteLength] === VERSION;
  if (!isOurs || size < sealedLength(0)) throw new UnsealError('It is no encrypted backup that this version can read.');
  const decipher = createDecipheriv(ALGORITHM, await keyFor(password, head), nonceOf(head));
  decipher.setAAD(head);
  decipher.setAuthTag(await lastBytes(path, size));
  // Both ends are inclusive. Of an empty content nothing is to be read.
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

/** The same password typed on another keyboard may be composed otherwise (RFC 8265 §4.2.1). */
function keyFor(password: string, head: Buffer): Promise<Buffer> {
  const salt = head.subarray(MAGIC.byteLength + 1, MAGIC.byteLength + 1 + SALT_BYTES);
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, KEY_BYTES, SCRYPT, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

function nonceOf(head: Buffer): Buffer {
  return head.subarray(HEAD_BYTES - NONCE_BYTES);
}
