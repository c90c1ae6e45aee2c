/**
 * `pairings.json`: the second copy of all pairings, separate from the database, because a loss would require a reset of
 * every device in the home. Each write replaces the whole file atomically; a checksum detects damage. The file is
 * `{format, version, checksum, body}`, where `checksum` is the SHA-256 of `body` as JSON without white space.
 */
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../../../kernel/errors.ts';
import { sha256Hex } from '../../../kernel/secrets.ts';
import type { PairingRecord, PairingsSnapshot } from './pairing-record.ts';

const FORMAT = 'hearthd-pairings';
const VERSION = 1;
const OWNER_ONLY = 0o600;

const key = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .transform((hex) => Buffer.from(hex, 'hex'));

const pairing = z
  .object({
    deviceId: z.string().min(1),
    homeId: z.string().min(1),
    name: z.string(),
    model: z.string(),
    category: z.int(),
    state: z.enum(['exchanging', 'paired']),
    controllerId: z.string().min(1),
    controllerPublicKey: key,
    controllerSecretKey: key,
    accessoryPublicKey: key.nullable(),
    pairedAt: z.int(),
  })
  .transform(
    ({
      deviceId,
      controllerId,
      controllerPublicKey,
      controllerSecretKey,
      accessoryPublicKey,
      ...rest
    }): PairingRecord => ({
      keys: { deviceId, controllerId, controllerPublicKey, controllerSecretKey, accessoryPublicKey },
      ...rest,
    }),
  );

const file = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  checksum: z.string(),
  body: z.unknown(),
});

const snapshot = z.object({
  lineage: z.string().min(1),
  generation: z.int().min(0),
  homes: z.array(z.object({ id: z.string().min(1), name: z.string() })),
  pairings: z.array(pairing),
});

export type CopyReading =
  | { readonly kind: 'absent' }
  | { readonly kind: 'damaged'; readonly reason: string }
  | { readonly kind: 'read'; readonly snapshot: PairingsSnapshot };

export class PairingCopy {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  read(): CopyReading {
    // Not existsSync: a dangling link in place of the file is damage, not absence.
    if (!lstatSync(this.path, { throwIfNoEntry: false })) return { kind: 'absent' };
    try {
      return { kind: 'read', snapshot: parse(readOwnFile(this.path)) };
    } catch (error) {
      return { kind: 'damaged', reason: messageOf(error) };
    }
  }

  /** On disk when it returns: the file, then its directory entry. */
  write(content: PairingsSnapshot): void {
    const temporary = `${this.path}.tmp`;
    rmSync(temporary, { force: true });
    const descriptor = openSync(temporary, 'wx', OWNER_ONLY);
    try {
      writeFileSync(descriptor, present(content));
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, this.path);
    syncDirectory(dirname(this.path));
  }

  /** Renames a damaged file and keeps it, because keys may be recovered from it by hand. @returns its new path */
  setAside(): string {
    let target = `${this.path}.damaged`;
    for (let number = 2; existsSync(target); number += 1) target = `${this.path}.damaged-${number}`;
    renameSync(this.path, target);
    return target;
  }
}

/** Rejects a link, and removes other users' access to the file. */
function readOwnFile(path: string): string {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    fchmodSync(descriptor, OWNER_ONLY);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function syncDirectory(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * @throws with the reason, if the text is not a complete and unchanged copy. The reason never contains the text: it
 * holds keys
 */
function parse(text: string): PairingsSnapshot {
  const envelope = file.safeParse(parseJson(text));
  if (!envelope.success) throw new Error('it is not a pairings file of this version');
  const { checksum, body } = envelope.data;
  if (sha256Hex(JSON.stringify(body)) !== checksum) throw new Error('its checksum does not match its content');
  const content = snapshot.safeParse(body);
  if (!content.success) throw new Error('a field in it is missing or malformed');
  return content.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('it is not JSON');
  }
}

function present({ lineage, generation, homes, pairings }: PairingsSnapshot): string {
  const body = { lineage, generation, homes, pairings: pairings.map(presentPairing) };
  return `${JSON.stringify({ format: FORMAT, version: VERSION, checksum: sha256Hex(JSON.stringify(body)), body }, null, 2)}\n`;
}

function presentPairing({ keys, state, homeId, name, model, category, pairedAt }: PairingRecord): object {
  return {
    deviceId: keys.deviceId,
    homeId,
    name,
    model,
    category,
    state,
    controllerId: keys.controllerId,
    controllerPublicKey: keys.controllerPublicKey.toString('hex'),
    controllerSecretKey: keys.controllerSecretKey.toString('hex'),
    accessoryPublicKey: keys.accessoryPublicKey?.toString('hex') ?? null,
    pairedAt,
  };
}
