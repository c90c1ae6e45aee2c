/**
 * Backups of a whole relay and the way back into them, inside the running process: over its real doors, with a person
 * signed in and devices that are really paired.
 */
import { readdirSync, readlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { type RawAccessory, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { lampAccessory } from '../support/accessories/sample-databases.ts';
import { type Answer, E2eRelay, eventually, KNOWN_CONTROLLER, sharePairings } from '../support/e2e-relay.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { PNG, pngOf } from '../support/pictures.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';

const ANN = { email: 'ann@example.org', password: 'correct horse' };
/** As `sharePairings` makes it. */
const HOME = '0b7f9f5e-0000-4000-8000-00000000a0a0';
const NEW_PASSWORD = 'battery staple';
const SECRET = 'a password for the file';

let directory: TempDirectory;
let relay: E2eRelay;
let known: RawAccessory;
let later: RawAccessory;
let session = '';

beforeAll(async () => {
  directory = createTempDirectory('backups');
  const device = { database: [lampAccessory('Lamp')], mdns: false };
  [known, later] = await Promise.all([
    startRawAccessory({ ...device, name: 'Known', paired: [KNOWN_CONTROLLER] }),
    startRawAccessory({ ...device, name: 'Later' }),
  ]);
  sharePairings(directory, [known]);
  relay = await E2eRelay.start({ directory });
  const { code: setupCode } = (await relay.asSystem('POST', '/rest/setup-code')).body;
  session = (
    await graphql(
      `mutation { signup(email: "${ANN.email}", password: "${ANN.password}", setupCode: "${setupCode}") { token } }`,
      '',
    )
  ).signup.token;
  await relay.untilStatus(known.deviceId, 'connected');
});

afterAll(async () => {
  await relay.stop();
  await Promise.all([known, later].map((device) => device.stop()));
  directory.remove();
});

async function ask(method: string, path: string, body?: unknown, token = session): Promise<Answer> {
  const response = await fetch(new URL(path, relay.url), {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

async function graphql(query: string, token = session): Promise<Answer['body']> {
  const response = await fetch(`${relay.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token !== '' && { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query }),
  });
  return ((await response.json()) as Answer['body']).data;
}

async function signIn(password: string): Promise<Answer['body']> {
  return (await graphql(`mutation { login(email: "${ANN.email}", password: "${password}") { success token } }`, ''))
    .login;
}

/** Restores, and waits until the home is back. */
async function restore(name: string, body: object = {}): Promise<Answer['body']> {
  const before = (await ask('GET', '/rest/backups/last-restore')).body?.finishedAt;
  const { status, body: begun } = await ask('POST', `/rest/backups/${name}/restore`, body);
  expect([status, begun]).toEqual([
    202,
    { success: true, name, undo: expect.stringMatching(/^relay-before-restore-/) },
  ]);
  const report = await eventually(async () => {
    const last = await relay.asSystem('GET', '/rest/backups/last-restore').catch(() => undefined);
    return last?.status === 200 && last.body && last.body.finishedAt !== before ? last.body : undefined;
  }, 'the restart to be over');
  return { ...report, undo: begun.undo };
}

const upload = async (content: Uint8Array<ArrayBuffer>): Promise<Answer> => {
  const headers = { Authorization: `Bearer ${session}`, 'Content-Type': 'application/octet-stream' };
  const response = await fetch(`${relay.url}/rest/backups/upload`, { method: 'POST', headers, body: content });
  return { status: response.status, body: await response.json() };
};

async function download(name: string, body?: object): Promise<{ fileName: string; content: Uint8Array<ArrayBuffer> }> {
  const response = await fetch(`${relay.url}/rest/backups/${name}${body ? '/download' : ''}`, {
    method: body ? 'POST' : 'GET',
    headers: { Authorization: `Bearer ${session}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  const content = new Uint8Array(await response.arrayBuffer());
  expect(response.headers.get('content-length')).toBe(String(content.byteLength));
  return { fileName: /filename="(.*)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? '', content };
}

async function setPicture(roomId: string, picture: Uint8Array<ArrayBuffer>): Promise<number> {
  const headers = { Authorization: `Bearer ${session}`, 'Content-Type': 'image/png' };
  return (await fetch(`${relay.url}/rest/rooms/${roomId}/picture`, { method: 'PUT', headers, body: picture })).status;
}

const openFiles = (): readonly string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      // The one that was read by.
      return [];
    }
  });

const roomNames = async (): Promise<readonly string[]> =>
  (await ask('GET', `/rest/rooms?home=${HOME}`)).body.map(({ name }: { name: string }) => name).sort();

describe('a home with a backup', () => {
  let backup = '';
  let undo = '';

  it('makes one on demand, reports its content and lets no other user read it', async () => {
    const { body: study } = await ask('POST', '/rest/rooms', { homeId: HOME, name: 'Study', color: 'teal' });
    expect(await setPicture(study.id, PNG)).toBe(200);
    const lamp = await relay.accessory('Lamp');
    await ask('PATCH', `/rest/accessories/${lamp.id}`, { icon: 'lamp-desk' });
    await ask('POST', '/rest/virtual-accessories', {
      homeId: HOME,
      virtualType: 'input_boolean',
      name: 'Guests',
      config: {},
    });
    await ask('POST', '/rest/flows', { homeId: HOME, name: 'Evening', mode: 'parallel', triggers: [], actions: [] });
    await relay.asSystem('POST', '/rest/users', { email: 'bob@example.org', password: 'tr0ubador&3' });
    const { status, body } = await ask('POST', '/rest/backups');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ kind: 'manual', isSound: true, isOfThisRelay: true, hasYourAccount: true, isEncrypted: false },
      contents: { homes: 1, rooms: 2, users: 2 },
    });
    backup = body.name;
    expect((await ask('GET', '/rest/backups', undefined, relay.token)).status).toBe(403);
    expect((await ask('GET', `/rest/backups/${encodeURIComponent('../relay.db')}`)).status).toBe(404);
  });

  it('is open for no caller who asks only how large it is', async () => {
    const headers = { Authorization: `Bearer ${session}` };
    const { status, headers: reported } = await fetch(`${relay.url}/rest/backups/${backup}`, {
      method: 'HEAD',
      headers,
    });
    expect([status, Number(reported.get('content-length')) > 0]).toEqual([200, true]);
    await eventually(async () => !openFiles().some((file) => file.includes(backup)), 'the file to be closed');
  });

  it('comes back on the same port, with what it held and without what came since, and explains how to undo it', async () => {
    const ended = (await signIn(ANN.password)).token;
    const [{ id: study }] = (await ask('GET', `/rest/rooms?home=${HOME}`)).body.filter(
      ({ name }: { name: string }) => name === 'Study',
    );
    await ask('PATCH', `/rest/rooms/${study}`, { name: 'Den', color: 'red' });
    expect(await setPicture(study, pngOf(2, 2))).toBe(200);
    const { id: lamp } = await relay.accessory('Lamp');
    await ask('PATCH', `/rest/accessories/${lamp}`, { icon: null });
    const [flow] = (await ask('GET', '/rest/flows')).body;
    await ask('DELETE', `/rest/flows/${flow.id}`);
    const token = (await relay.asSystem('POST', '/rest/tokens', { name: 'since' })).body.token;
    // It ends every session.
    await ask('POST', '/rest/me/password', { currentPassword: ANN.password, newPassword: NEW_PASSWORD });
    session = (await signIn(NEW_PASSWORD)).token;
    const { body } = await relay.asSystem('POST', '/rest/pairings', {
      device: `127.0.0.1:${later.port}`,
      setupCode: later.setupCode,
    });
    expect(body.status).toBe('connected');
    const url = relay.url;

    const report = await restore(backup);
    expect(report).toMatchObject({ outcome: 'restored', error: null, backup });
    // The graph of the relay is that of this computer: a backup neither has one nor takes it away.
    const starts = async () => (await ask('GET', '/rest/relay/load')).body.starts.length;
    await expect.poll(starts, { timeout: PATIENCE_MS }).toBeGreaterThan(1);
    undo = report.undo;
    expect(relay.url).toBe(url);
    expect(await roomNames()).toEqual(['Default Room', 'Study']);
    const [, restored] = (await ask('GET', `/rest/rooms?home=${HOME}`)).body;
    expect(restored).toMatchObject({ color: 'teal', pictureHash: expect.any(String) });
    const picture = await fetch(`${relay.url}/rest/rooms/${study}/picture`, {
      headers: { Authorization: `Bearer ${session}` },
    });
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(PNG);
    expect((await ask('GET', `/rest/accessories/${lamp}`)).body.icon).toBe('lamp-desk');
    expect((await ask('GET', '/rest/flows')).body.map(({ name }: { name: string }) => name)).toEqual([flow.name]);
    expect((await relay.asSystem('GET', '/rest/users')).body).toHaveLength(2);
    // Keys stay, and so does who may come in.
    await relay.untilStatus(known.deviceId, 'connected');
    await relay.untilStatus(later.deviceId, 'connected');
    expect((await ask('GET', '/rest/homes', undefined, token)).status).toBe(200);
    expect((await ask('GET', '/rest/homes', undefined, ended)).status).toBe(401);
    expect((await signIn(ANN.password)).success).toBe(false);
    expect((await signIn(NEW_PASSWORD)).success).toBe(true);
    const kinds = (await ask('GET', '/rest/backups')).body.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toContain('before-restore');
  });

  it('goes back by the undo', async () => {
    expect(await restore(undo)).toMatchObject({ outcome: 'restored', error: null });
    expect(await roomNames()).toEqual(['Default Room', 'Den']);
    await relay.untilStatus(later.deviceId, 'connected');
  });

  it('leaves as a file that names what it is, or encrypted, and comes back from both', async () => {
    const plain = await download(backup);
    expect(plain.fileName).toMatch(/^hearthd-backup-[\d-]+-contains-keys\.db$/);
    const sealed = await download(backup, { password: SECRET });
    expect(sealed.fileName).toMatch(/^hearthd-backup-[\d-]+\.hearthd$/);
    expect(Buffer.from(sealed.content).includes('SQLite format 3')).toBe(false);
    expect((await upload(plain.content)).body).toMatchObject({ kind: 'uploaded', isSound: true, isEncrypted: false });
    const { body: kept } = await upload(sealed.content);
    expect(kept).toMatchObject({ kind: 'uploaded', isSound: null, isEncrypted: true });

    for (const password of [undefined, 'not the password']) {
      const { status, body } = await ask('POST', `/rest/backups/${kept.name}/restore`, { password });
      expect([status, body.code]).toEqual([422, 'invalid_value']);
    }
    expect(await restore(kept.name, { password: SECRET })).toMatchObject({ outcome: 'restored', error: null });
    expect(await roomNames()).toEqual(['Default Room', 'Study']);
  });

  it('takes no file that it could not start from', async () => {
    const { content } = await download(backup);
    const cut = content.slice(0, content.byteLength - 4_096 * 3);
    const newer = content.slice();
    newer.set([0, 0, 3, 231], 60);
    const foreign = openSqlite(':memory:');
    foreign.exec('CREATE TABLE homes (id TEXT)');
    foreign.pragma('user_version = 3');
    const wrong: readonly (readonly [string, Uint8Array<ArrayBuffer>, RegExp])[] = [
      ['cut', cut, /damaged/],
      ['newer', newer, /newer hearthd/],
      ['another program’s', new Uint8Array(foreign.serialize()), /no backup of hearthd/],
      ['no database', new TextEncoder().encode('hello'), /no backup of hearthd/],
      ['empty', new Uint8Array(), /no backup of hearthd/],
    ];
    foreign.close();
    for (const [name, bytes, sentence] of wrong) {
      const { status, body } = await upload(bytes);
      expect([name, status, body]).toEqual([
        name,
        422,
        expect.objectContaining({ error: expect.stringMatching(sentence) }),
      ]);
    }
  });
});
