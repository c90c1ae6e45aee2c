import { describe, expect, it } from 'vitest';
import { SigningKeyStore } from '../../../src/app/access/signing-key-store.ts';
import { SigningKeys } from '../../../src/app/access/signing-keys.ts';
import { HearthError } from '../../../src/kernel/errors.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { TestClock } from '../../support/test-clock.ts';

describe('keys of our own', () => {
  it('have 256 bits, differ by name and are the same after a restart', () => {
    const database = openDatabase(':memory:');
    const open = () => new SigningKeys({ store: new SigningKeyStore(database), clock: new TestClock() });
    const keys = open();
    const sessions = keys.key('sessions');
    expect(sessions).toHaveLength(32);
    expect(keys.key('sessions')).toBe(sessions);
    expect(keys.key('shares')).not.toEqual(sessions);
    expect(Buffer.from(open().key('sessions'))).toEqual(Buffer.from(sessions));
    database.close();
  });

  it('differ from one relay to another', () => {
    const keyOfNewRelay = (): string => {
      const database = openDatabase(':memory:');
      const key = new SigningKeys({ store: new SigningKeyStore(database), clock: new TestClock() }).key('sessions');
      database.close();
      return Buffer.from(key).toString('hex');
    };
    expect(keyOfNewRelay()).not.toBe(keyOfNewRelay());
  });

  it('that are made while the disk is full serve only what may wait, and are saved later', () => {
    const saved = new Map<string, string>();
    let isFull = true;
    const findOrInsert = (name: string, value: string) => {
      if (isFull) throw new HearthError('storage_unavailable', 'The disk is full');
      return saved.set(name, saved.get(name) ?? value).get(name);
    };
    const keys = new SigningKeys({ store: { findOrInsert } as never, clock: new TestClock() });
    const key = keys.key('pages', { mayWait: true });
    expect(keys.key('pages', { mayWait: true })).toBe(key);
    expect(() => keys.key('pages')).toThrow('The disk is full');
    isFull = false;
    keys.saveUnsaved();
    expect(saved.get('pages')).toBe(Buffer.from(key).toString('base64url'));
    isFull = true;
    expect(keys.key('pages')).toEqual(key);
  });

  it('are refused if the disk has shortened them', () => {
    const database = openDatabase(':memory:');
    database.prepare("INSERT INTO signing_keys VALUES ('sessions', 'AAAA', 1)").run();
    const keys = new SigningKeys({ store: new SigningKeyStore(database), clock: new TestClock() });
    expect(() => keys.key('sessions')).toThrow('The signing key "sessions" is damaged');
    database.close();
  });
});
