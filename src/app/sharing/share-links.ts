/**
 * Share hashes (decisions §8): base64url of a version, the entity's type and UUID, and a 128-bit HMAC-SHA-256 tag over
 * them and the entity's epoch. A link needs no row of its own, can't be guessed, and ends with its epoch.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { ENTITY_TYPES, type EntityType } from '../../home/vocabulary/sharing.ts';

const VERSION = 1;
const UUID_BYTES = 16;
const TAG_BYTES = 16;
const SIGNED_BYTES = 2 + UUID_BYTES;
const HASH_BYTES = SIGNED_BYTES + TAG_BYTES;
const HASH_LENGTH = Math.ceil((HASH_BYTES * 8) / 6);

/** The byte of each entity type. Never change it: existing links contain it. */
const TYPE_BYTES: Readonly<Record<EntityType, number>> = {
  home: 1,
  room: 2,
  room_group: 3,
  accessory: 4,
  accessory_group: 5,
  collection: 6,
  collection_group: 7,
};

/** The target of a link: an entity by its type and the UUID that identifies it in links. */
export interface LinkTarget {
  readonly entityType: EntityType;
  readonly linkId: string;
}

export class ShareLinks {
  readonly #key: () => Uint8Array;
  readonly #epochOf: (target: LinkTarget) => number;

  /**
   * @param parts.key 256 random bits that only this relay has.
   * @param parts.epochOf how often the target's last share was deleted.
   */
  constructor(deps: { key: () => Uint8Array; epochOf: (target: LinkTarget) => number }) {
    this.#key = deps.key;
    this.#epochOf = deps.epochOf;
  }

  hashOf(target: LinkTarget): string {
    const signed = signedPart(target);
    return Buffer.concat([signed, this.#tag(signed, this.#epochOf(target))]).toString('base64url');
  }

  /**
   * Reads a hash; `undefined` if the relay did not issue it. Does the same work for every input, so that the duration
   * does not reveal how much of it is right.
   */
  read(hash: string): LinkTarget | undefined {
    const bytes = Buffer.alloc(HASH_BYTES);
    bytes.set(Buffer.from(hash.slice(0, HASH_LENGTH), 'base64url').subarray(0, HASH_BYTES));
    // The last character has unused bits, and Buffer ignores characters outside base64url: accept only one spelling.
    const isWellFormed = hash.length === HASH_LENGTH && bytes.toString('base64url') === hash;
    const type = ENTITY_TYPES.find((one) => TYPE_BYTES[one] === bytes[1]);
    const target: LinkTarget = { entityType: type ?? 'home', linkId: uuidOf(bytes.subarray(2, SIGNED_BYTES)) };
    const expected = this.#tag(bytes.subarray(0, SIGNED_BYTES), this.#epochOf(target));
    const isSigned = timingSafeEqual(bytes.subarray(SIGNED_BYTES), expected);
    return isWellFormed && isSigned && type !== undefined && bytes[0] === VERSION ? target : undefined;
  }

  #tag(signed: Uint8Array, epoch: number): Buffer {
    return createHmac('sha256', this.#key()).update(signed).update(`:${epoch}`).digest().subarray(0, TAG_BYTES);
  }
}

function signedPart({ entityType, linkId }: LinkTarget): Buffer {
  return Buffer.concat([Buffer.of(VERSION, TYPE_BYTES[entityType]), Buffer.from(linkId.replaceAll('-', ''), 'hex')]);
}

function uuidOf(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
