import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LinkTarget, ShareLinks } from '../../../src/app/sharing/share-links.ts';
import { ENTITY_TYPES } from '../../../src/home/vocabulary/sharing.ts';

const KEY = randomBytes(32);
const TARGET: LinkTarget = { entityType: 'room', linkId: randomUUID() };

function createLinks(epochs = new Map<string, number>(), key: Uint8Array = KEY): ShareLinks {
  return new ShareLinks({ key: () => key, epochOf: ({ linkId }) => epochs.get(linkId) ?? 0 });
}

describe('a share hash', () => {
  it('leads back to the entity, of every type', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ENTITY_TYPES), fc.uuid(), (entityType, linkId) => {
        const links = createLinks();
        expect(links.read(links.hashOf({ entityType, linkId }))).toEqual({ entityType, linkId });
      }),
    );
  });

  it('is base64url of version, type, UUID and a 128-bit tag: 46 characters', () => {
    const hash = createLinks().hashOf(TARGET);
    expect(hash).toMatch(/^[\w-]{46}$/);
    const bytes = Buffer.from(hash, 'base64url');
    expect(bytes).toHaveLength(1 + 1 + 16 + 16);
    expect(bytes[0]).toBe(1);
    expect(bytes.subarray(2, 18).toString('hex')).toBe(TARGET.linkId.replaceAll('-', ''));
  });

  it('is the same each time, and another for another entity, type, epoch or relay', () => {
    const hash = createLinks().hashOf(TARGET);
    const others = [
      createLinks().hashOf({ ...TARGET, linkId: randomUUID() }),
      createLinks().hashOf({ ...TARGET, entityType: 'home' }),
      createLinks(new Map([[TARGET.linkId, 1]])).hashOf(TARGET),
      createLinks(new Map(), randomBytes(32)).hashOf(TARGET),
    ];
    expect(createLinks().hashOf(TARGET)).toBe(hash);
    expect(new Set([hash, ...others]).size).toBe(5);
  });

  it('leads nowhere once its epoch has passed, and with the key of another relay', () => {
    const hash = createLinks().hashOf(TARGET);
    expect(createLinks(new Map([[TARGET.linkId, 1]])).read(hash)).toBeUndefined();
    expect(createLinks(new Map(), randomBytes(32)).read(hash)).toBeUndefined();
  });

  it('leads nowhere with any one of its bits flipped', () => {
    const links = createLinks();
    const bytes = Buffer.from(links.hashOf(TARGET), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(links.read(flipped.toString('base64url'))).toBeUndefined();
    }
  });

  it('has one spelling: neither the spare bits of its last character nor anything around it count', () => {
    const links = createLinks();
    const hash = links.hashOf(TARGET);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const good = [...alphabet].filter((last) => links.read(hash.slice(0, -1) + last) !== undefined);
    expect(good).toEqual([hash.at(-1)]);
    for (const text of [
      `${hash}A`,
      `${hash}=`,
      ` ${hash}`,
      `${hash}\n`,
      hash.slice(0, -1),
      hash.slice(1),
      '',
      `${hash}${hash}`,
    ]) {
      expect(links.read(text)).toBeUndefined();
    }
    // With padding, as plain base64 writes it.
    expect(links.read(Buffer.from(hash, 'base64url').toString('base64'))).toBeUndefined();
  });

  it('takes any text for one, and does the same work for all of them', () => {
    const asked: string[] = [];
    const links = new ShareLinks({
      key: () => {
        asked.push('key');
        return KEY;
      },
      epochOf: () => {
        asked.push('epoch');
        return 0;
      },
    });
    const readWork = (text: string): string => {
      asked.length = 0;
      links.read(text);
      return asked.join();
    };
    const usual = readWork(links.hashOf(TARGET));
    fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => readWork(text) === usual));
  });

  it('can’t be guessed: a hundred thousand forged ones lead nowhere, in bounded time', () => {
    const links = createLinks();
    const real = Buffer.from(links.hashOf(TARGET), 'base64url');
    const began = performance.now();
    for (let n = 0; n < 100_000; n++) {
      const forged = Buffer.concat([real.subarray(0, 18), randomBytes(16)]);
      if (links.read(forged.toString('base64url')) !== undefined) expect.fail('A forged hash was taken');
    }
    // About a second where it is idle: what is far beyond would let a stranger stop the home.
    expect(performance.now() - began).toBeLessThan(30_000);
  });
});
