import { describe, expect, it } from 'vitest';
import { SigningKeyStore } from '../../../src/app/access/signing-key-store.ts';
import { SigningKeys } from '../../../src/app/access/signing-keys.ts';
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

  it('are refused if the disk has shortened them', () => {
    const database = openDatabase(':memory:');
    database.prepare("INSERT INTO signing_keys VALUES ('sessions', 'AAAA', 1)").run();
    const keys = new SigningKeys({ store: new SigningKeyStore(database), clock: new TestClock() });
    expect(() => keys.key('sessions')).toThrow('The signing key "sessions" is damaged');
    database.close();
  });
});
