/** The table of grants and of what is issued from them. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Artifact, type ArtifactKind, ArtifactStore } from '../../../src/app/oauth/artifact-store.ts';
import { type Database, openDatabase } from '../../../src/storage/database.ts';

let database: Database;
let store: ArtifactStore;

beforeEach(() => {
  database = openDatabase(':memory:');
  database.pragma('foreign_keys = OFF');
  store = new ArtifactStore(database);
  store.save(artifact('Grant', 'grant'));
});
afterEach(() => database.close());

function artifact(kind: ArtifactKind, idHash: string, changes: Partial<Artifact> = {}): Artifact {
  return {
    ...{ kind, idHash, payload: {}, clientId: 'app', userId: 'ann', grantHash: 'grant' },
    ...{ createdAt: 1, expiresAt: 100, expiredAt: null, consumedAt: null, replay: null },
    ...changes,
  };
}

const refresh = (idHash: string, changes: Partial<Artifact> = {}) => artifact('RefreshToken', idHash, changes);
const find = (idHash: string, kind: ArtifactKind = 'RefreshToken') => store.find({ kind, idHash });
const ids = () =>
  database
    .prepare<[], { id_hash: string }>('SELECT id_hash FROM oauth_artifacts ORDER BY id_hash')
    .all()
    .map(({ id_hash }) => id_hash);

describe('an exchange', () => {
  beforeEach(() => store.save(refresh('first')));

  it('uses up what was given, and saves what was issued, with the answer', () => {
    const answer = Uint8Array.of(1, 2);
    expect(store.exchange([refresh('first')], [refresh('second')], 5, answer)).toBe(true);
    expect(find('first')).toMatchObject({ consumedAt: 5, replay: Buffer.from(answer) });
    expect(find('second')).toEqual(refresh('second'));
  });

  it('does nothing if any of it was used before', () => {
    store.save(refresh('other'));
    store.exchange([refresh('first')], [], 5, null);
    expect(store.exchange([refresh('other'), refresh('first')], [refresh('second')], 6, null)).toBe(false);
    expect(find('second')).toBeUndefined();
    expect(find('other')?.consumedAt).toBeNull();
    expect(store.exchange([refresh('unknown')], [refresh('second')], 6, null)).toBe(false);
  });

  it('does nothing if the grant is gone', () => {
    store.delete({ kind: 'Grant', idHash: 'grant' });
    expect(store.exchange([refresh('first')], [refresh('second')], 5, null)).toBe(false);
    expect(find('first')?.consumedAt).toBeNull();
  });

  it('forgets the answer before it: its successor is in use', () => {
    store.exchange([refresh('first')], [refresh('second')], 5, Uint8Array.of(1));
    store.exchange([refresh('second')], [refresh('third')], 6, Uint8Array.of(2));
    expect([find('first')?.replay, find('second')?.replay]).toEqual([null, Buffer.of(2)]);
  });

  it('keeps five hundred of a kind and a grant: the oldest makes room', () => {
    for (let n = 0; n < 500; n += 1) store.save(refresh(`t${n}`, { createdAt: 10 + n }));
    store.save(artifact('AccessToken', 'access'));
    store.save(refresh('of another', { grantHash: 'another' }));
    store.exchange([refresh('t499')], [refresh('last', { createdAt: 1_000 })], 1_000, null);
    expect(find('first')).toBeUndefined();
    expect(find('t0')).toBeUndefined();
    expect([find('t1'), find('last'), find('of another'), find('access', 'AccessToken')]).not.toContain(undefined);
  });
});

describe('what expires', () => {
  it('is recorded as such, once, and a grant never is', () => {
    store.save(refresh('a', { expiresAt: 10 }));
    store.save(refresh('b', { expiresAt: 11 }));
    store.setExpired(refresh('b'), 3);
    store.noteExpired(10, 0);
    store.noteExpired(200, 0);
    expect([find('a')?.expiredAt, find('b')?.expiredAt, find('grant', 'Grant')?.expiredAt]).toEqual([10, 3, null]);
  });

  it('is its answer too', () => {
    for (const [id, at] of [
      ['a', 5],
      ['b', 6],
    ] as const) {
      store.save(refresh(id));
      store.exchange([refresh(id)], [], at, Uint8Array.of(at));
      store.save(artifact('Grant', `grant of ${id}`, { grantHash: `grant of ${id}` }));
      database.prepare('UPDATE oauth_artifacts SET grant_hash = ? WHERE id_hash = ?').run(`grant of ${id}`, id);
    }
    store.noteExpired(0, 5);
    expect([find('a')?.replay, find('b')?.replay]).toEqual([null, Buffer.of(6)]);
    store.prune(6);
    expect(find('b')?.replay).toEqual(Buffer.of(6));
    store.prune(7);
    expect(find('b')?.replay).toBeNull();
  });

  it('is deleted at night once it is long ago, and a grant with the last of it', () => {
    store.save(refresh('a', { expiresAt: 10 }));
    store.save(refresh('b', { expiresAt: 20 }));
    store.save(artifact('Grant', 'new', { grantHash: 'new', createdAt: 50 }));
    store.noteExpired(10, 0);
    store.prune(10);
    expect(ids()).toEqual(['a', 'b', 'grant', 'new']);
    store.prune(11);
    expect(ids()).toEqual(['b', 'grant', 'new']);
    store.noteExpired(20, 0);
    store.prune(21);
    expect(ids()).toEqual(['new']);
  });
});

describe('a grant', () => {
  it('is deleted with all that was issued from it, and with nothing else', () => {
    store.save(refresh('a'));
    store.save(refresh('of another', { grantHash: 'another' }));
    store.deleteGrant('grant');
    expect(ids()).toEqual(['of another']);
  });

  it('is listed by app and person, newest first', () => {
    store.save(artifact('Grant', 'newer', { createdAt: 2 }));
    store.save(artifact('Grant', 'other app', { clientId: 'other' }));
    store.save(artifact('Grant', 'other person', { userId: 'ben' }));
    store.save(refresh('a'));
    expect(store.grantsOf('app', 'ann')).toEqual(['newer', 'grant']);
  });
});
