/**
 * What lies on the disk and what leaves the process in words: modes, links, and secrets planted wherever a person or a
 * device hands one over, looked for everywhere they must not be.
 */
import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BackupFolder } from '../../src/storage/backups/backup-folder.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { createDeviceId, createSigningKeys } from '../support/accessories/identity.ts';
import { type RawAccessory, startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { lampAccessory } from '../support/accessories/sample-databases.ts';
import { BuiltDaemon, type BuiltProgram, buildProgram } from '../support/built-daemon.ts';
import { eventually, sharePairings } from '../support/e2e-relay.ts';
import { filesIn, findings, keySpellings, type Secret, spellings } from '../support/secret-search.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';

let program: BuiltProgram;

beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program[Symbol.dispose]());

/**
 * `path mode` of each file in a data directory that is open to another user than its owner, or has another mode than it
 * must.
 */
function wrongModes(dataDir: string): readonly string[] {
  const paths = [dataDir, ...readdirSync(dataDir, { recursive: true }).map((name) => join(dataDir, String(name)))];
  return paths.flatMap((path) => {
    const stats = lstatSync(path);
    const mode = (stats.mode & 0o777).toString(8);
    return mode === (stats.isDirectory() ? '700' : '600') ? [] : [`${path} ${mode}`];
  });
}

describe('under a umask that hides nothing', () => {
  const open = ['sh', '-c', 'umask 000; exec "$@"', 'sh'];

  it('the data directory is 0700 and every file in it 0600: running, stopped, killed, copied and damaged', async () => {
    using directory = createTempDirectory('modes');
    const before = process.umask(0o000);
    try {
      await using first = await BuiltDaemon.start({ program, directory, before: open });
      const { dataDir } = first;
      expect(wrongModes(dataDir), 'when new').toEqual([]);
      expect(await first.end()).toBe(0);
      const keys = { deviceId: createDeviceId(), name: 'Away', publicKey: createSigningKeys().publicKey, port: 9 };
      sharePairings({ ...directory, file: (...names) => join(dataDir, ...names) }, [keys]);

      await using second = await BuiltDaemon.start({ program, directory, before: open });
      await second.createToken();
      expect(filesIn(dataDir)).toEqual(
        expect.arrayContaining([
          ...['hearthd.lock', 'hearthd.pid', 'hearthd.sock', 'pairings.json'],
          ...['relay.db', 'relay.db-shm', 'relay.db-wal'],
        ]),
      );
      expect(wrongModes(dataDir), 'while running').toEqual([]);
      await second.end('SIGKILL');
      expect(filesIn(dataDir)).toContain('relay.db-wal');
      expect(wrongModes(dataDir), 'after kill -9').toEqual([]);

      await copyDatabase(join(dataDir, 'relay.db'));
      expect(filesIn(dataDir)).toContain('backups/relay-nightly-20260102T030405Z.db');
      writeFileSync(join(dataDir, 'relay.db'), Buffer.alloc(4096, 0xff));
      await using third = await BuiltDaemon.start({ program, directory, before: open });
      expect(filesIn(dataDir).some((name) => name.startsWith('relay.db.damaged-'))).toBe(true);
      expect(wrongModes(dataDir), 'after damage').toEqual([]);
      expect(await third.end()).toBe(0);
      expect(wrongModes(dataDir), 'after a stop').toEqual([]);
    } finally {
      process.umask(before);
    }
  });
});

async function copyDatabase(path: string): Promise<void> {
  const database = openDatabase(path);
  new BackupFolder(path).snapshot(database, 'nightly', Date.UTC(2026, 0, 2, 3, 4, 5));
  database.close();
}

describe('a symbolic link in place of a file with keys', () => {
  it.each(['relay.db', 'pairings.json', 'relay.db-wal', 'hearthd.lock'])(
    'is refused for %s, untouched',
    async (name) => {
      using directory = createTempDirectory('links');
      await using daemon = await BuiltDaemon.start({ program, directory });
      await daemon.end();
      const file = join(daemon.dataDir, name);
      const elsewhere = directory.file('elsewhere');
      if (existsSync(file)) renameSync(file, elsewhere);
      else writeFileSync(elsewhere, 'precious');
      const bytes = readFileSync(elsewhere);
      symlinkSync(elsewhere, file);

      await using refused = new BuiltDaemon({ program, directory });
      expect(await refused.ended).toBe(78);
      expect(refused.err).toMatch(new RegExp(`^\\S*/${name} is a symbolic link\\. Put the real file there; .*\\n$`));
      expect(readFileSync(elsewhere)).toEqual(bytes);
    },
  );
});

describe('without any privilege', () => {
  it('it runs, answers and stops: no capability is left to it, nor to be had', async ({ skip }) => {
    skip(process.geteuid?.() !== 0, 'a user who is not root has no privilege to drop');
    const before = ['setpriv', '--bounding-set=-all', '--inh-caps=-all', '--no-new-privs'];
    await using daemon = await BuiltDaemon.start({ program, before });
    const status = readFileSync(`/proc/${daemon.pid}/status`, 'utf8');
    for (const set of ['CapEff', 'CapPrm', 'CapBnd']) expect(status).toMatch(new RegExp(`^${set}:\\s+0+$`, 'm'));
    expect((await fetch(`${daemon.url}/ready`)).status).toBe(200);
    expect(await daemon.end()).toBe(0);
  });
});

describe('secrets handed to the daemon', () => {
  const WRONG_CODE = '271-82-818';
  const planted = {
    unknownToken: `hc_${'Q'.repeat(43)}`,
    basic: Buffer.from('admin:correct horse').toString('base64'),
    inQuery: `hc_${'W'.repeat(43)}`,
    inPath: `hc_${'E'.repeat(43)}`,
    inBody: `hc_${'R'.repeat(43)}`,
    overSocket: `hc_${'T'.repeat(43)}`,
  };
  let directory: TempDirectory;
  let accessory: RawAccessory;
  /** Everything that any client received or could see: name → text. */
  const seen = new Map<string, string>();
  let token: string;
  let cliToken: string;
  let dataDir: string;
  let secretKey: Buffer;

  const see = (where: string, text: string): void => void seen.set(where, (seen.get(where) ?? '') + text);

  /** One request over TCP; the answer is what its sender, or an observer in between, sees. */
  async function ask(daemon: BuiltDaemon, method: string, path: string, headers: object, body?: string): Promise<void> {
    const response = await fetch(`${daemon.url}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body }),
    });
    see('answers', JSON.stringify([...response.headers]) + (await response.text()));
  }

  async function pair(daemon: BuiltDaemon): Promise<void> {
    await eventually(async () => {
      const { body } = await daemon.asSystem('GET', '/rest/discovered');
      return body.some(({ deviceId }: { deviceId: string }) => deviceId === accessory.deviceId);
    }, 'the accessory to be discovered');
    const { deviceId, setupCode } = accessory;
    await leaveInTheMiddle(daemon);
    const wrong = await eventually(async () => {
      const answer = await daemon.asSystem('POST', '/rest/pairings', { device: deviceId, setupCode: WRONG_CODE });
      return answer.body.code === 'pairing_failed' ? answer : undefined;
    }, 'the pairing that was left to end');
    const odd = await daemon.asSystem('POST', '/rest/pairings', { device: deviceId, setupCode: `${setupCode}x` });
    expect(odd.status).toBe(422);
    const anonymous = await daemon.asSystem('POST', '/rest/pairings', { device: '00:00:00:00:00:01', setupCode });
    const paired = await daemon.asSystem('POST', '/rest/pairings', { device: deviceId, setupCode });
    expect(paired.status).toBe(200);
    const again = await daemon.asSystem('POST', '/rest/pairings', { device: deviceId, setupCode, extra: setupCode });
    see('answers', JSON.stringify([wrong, odd, anonymous, paired, again]));
  }

  /** A client that watches a pairing and goes away, which is nothing to be printed about. */
  async function leaveInTheMiddle(daemon: BuiltDaemon): Promise<void> {
    const leave = new AbortController();
    const response = await fetch(`${daemon.url}/rest/pairings`, {
      method: 'POST',
      signal: leave.signal,
      headers: { Authorization: `Bearer ${token}`, Accept: 'application/x-ndjson', 'Content-Type': 'application/json' },
      body: JSON.stringify({ device: accessory.deviceId, setupCode: WRONG_CODE }),
    });
    const { value } = (await response.body?.getReader().read()) ?? {};
    see('answers', Buffer.from(value ?? []).toString());
    leave.abort();
  }

  async function misbehave(daemon: BuiltDaemon): Promise<void> {
    const good = { Authorization: `Bearer ${token}` };
    await ask(daemon, 'GET', '/rest/state', good);
    await ask(daemon, 'GET', '/rest/state', { Authorization: `Bearer ${planted.unknownToken}` });
    await ask(daemon, 'GET', '/rest/state', { Authorization: `Basic ${planted.basic}` });
    await ask(daemon, 'GET', `/rest/state?access_token=${planted.inQuery}&token=${planted.inQuery}`, good);
    await ask(daemon, 'GET', `/rest/tokens/${planted.inPath}`, good);
    await ask(daemon, 'DELETE', `/rest/tokens/${planted.inPath}`, good);
    await ask(daemon, 'POST', '/rest/tokens', good, `{"name": "x", "token": "${planted.inBody}"`);
    await ask(daemon, 'POST', '/rest/tokens', good, `{"name": "x", "expiresAt": "${planted.inBody}"}`);
    await ask(daemon, 'POST', '/rest/state', good, `{"home": {"room": {"lamp": "${planted.inBody}"}}}`);
    await ask(daemon, 'POST', '/rest/state', { ...good, Origin: 'https://evil.example' }, '{}');
    await ask(daemon, 'GET', '/health', good);
    await ask(daemon, 'GET', '/ready', { Authorization: `Bearer ${planted.overSocket}` });
  }

  function look(daemon: BuiltDaemon): void {
    for (const file of ['cmdline', 'environ', 'comm', 'status']) {
      if (existsSync(`/proc/${daemon.pid}`))
        see(`/proc/<pid>/${file}`, readFileSync(`/proc/${daemon.pid}/${file}`, 'latin1'));
    }
  }

  async function inspect(daemon: BuiltDaemon): Promise<void> {
    see('doctor', JSON.stringify(await daemon.command('doctor', '--json', '--port', String(daemon.port))));
    see('doctor for people', (await daemon.command('doctor')).out);
    see('pairings', JSON.stringify(await daemon.command('pairings', '--json')));
    see('tokens', JSON.stringify(await daemon.command('token', 'list', '--json')));
    look(daemon);
  }

  async function life(): Promise<void> {
    const settings = { program, directory, flags: ['--log-level', 'debug'] };
    await using first = await BuiltDaemon.start(settings);
    ({ dataDir } = first);
    token = await first.createToken();
    await pair(first);
    cliToken = (await first.command('token', 'create', 'From the shell')).out.trim();
    expect(cliToken).toMatch(/^hc_/);
    await misbehave(first);
    await inspect(first);
    await first.end('SIGKILL');
    see('log', first.out);
    expect(first.err).toBe('');
    expect(first.log.every(({ msg }) => typeof msg === 'string')).toBe(true);
    await using second = await BuiltDaemon.start(settings);
    await misbehave(second);
    await inspect(second);
    await second.end();
    see('log', second.out + second.err);
    const database = openSqlite(join(dataDir, 'relay.db'), { readonly: true });
    secretKey = database.prepare('SELECT controller_secret_key FROM pairings').pluck().get() as Buffer;
    database.close();
  }

  beforeAll(async () => {
    directory = createTempDirectory('secrets');
    accessory = await startRawAccessory({ database: [lampAccessory('Lamp')], name: 'Lamp', category: 5 });
    await life();
  });

  afterAll(async () => {
    await accessory.stop();
    directory.remove();
  });

  const setupCodes = (): readonly Secret[] =>
    [accessory.setupCode, WRONG_CODE].flatMap((code) => [
      ...spellings('a setup code', code),
      ...spellings('a setup code', code.replaceAll('-', '')),
    ]);
  const tokens = (): readonly Secret[] =>
    [token, cliToken, ...Object.values(planted)].flatMap((text) => spellings('a token', text));

  it('are found by this search where they are', () => {
    expect(findings('here', `{"code":"${accessory.setupCode}"}`, setupCodes())).toContain('here: a setup code');
    expect(findings('here', `Bearer ${token}`, tokens())).not.toEqual([]);
    for (const file of ['relay.db', 'pairings.json']) {
      expect(findings(file, readFileSync(join(dataDir, file)), keySpellings('the key', secretKey))).not.toEqual([]);
    }
    expect(seen.get('log')).toContain('"level":20');
  });

  it('appear in no log line, process listing, answer, list or diagnosis', () => {
    expect([...seen.keys()].length).toBeGreaterThan(8);
    const secrets = [...setupCodes(), ...keySpellings('the secret key', secretKey), ...tokens()];
    // The one answer that shows a token is its creation, which `seen` leaves out.
    expect([...seen].flatMap(([where, text]) => findings(where, text, secrets))).toEqual([]);
    expect(seen.get('log')).not.toMatch(/bearer|basic|authorization/i);
  });

  it('are on the disk nowhere but where they must be: keys with the pairings, tokens and codes not at all', () => {
    const secrets = [...setupCodes(), ...tokens()];
    const key = keySpellings('the secret key', secretKey);
    const found = filesIn(directory.path).flatMap((name) => {
      const bytes = readFileSync(directory.file(name));
      const holdsKeys = name === 'data/relay.db' || name === 'data/pairings.json';
      return findings(name, bytes, holdsKeys ? secrets : [...secrets, ...key]);
    });
    expect(found).toEqual([]);
  });

  it('are gone from the disk once the device is unpaired and the daemon stopped', async () => {
    await using daemon = await BuiltDaemon.start({ program, directory });
    const { deviceId } = accessory;
    const removed = await daemon.asSystem('DELETE', `/rest/pairings/${deviceId}?force=true`);
    expect(removed.body).toMatchObject({ success: true });
    await daemon.end();
    const key = keySpellings('the secret key', secretKey);
    expect(filesIn(dataDir).flatMap((name) => findings(name, readFileSync(join(dataDir, name)), key))).toEqual([]);
  });
});
