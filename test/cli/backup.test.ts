/** `hearthd backup`, `restore` and `import`, with a whole relay that runs, and with none. */
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { E2eRelay } from '../support/e2e-relay.ts';
import { run, type TerminalScript } from './running-daemon.ts';

const SECRET = 'a password for the file';

let relay: E2eRelay;

beforeAll(async () => {
  relay = await E2eRelay.start();
});
afterAll(async () => {
  await relay[Symbol.asyncDispose]();
});

const hearthd = (args: readonly string[], script?: TerminalScript) => run(relay.directory.path, args, script);
const homeId = async (): Promise<string> => (await relay.asSystem('GET', '/rest/homes')).body[0].id;
const addRoom = async (name: string) => relay.asSystem('POST', '/rest/rooms', { homeId: await homeId(), name });
const rooms = async (): Promise<readonly string[]> =>
  (await relay.asSystem('GET', `/rest/rooms?home=${await homeId()}`)).body.map(({ name }: { name: string }) => name);

it('makes, lists and deletes backups, and brings one back into the running relay', async () => {
  await addRoom('Study');
  const name = /^Created (\S+) \(\d+ kB\)\.$/m.exec((await hearthd(['backup'])).out)?.[1] ?? '';
  expect((await hearthd(['backup', 'list'])).out).toMatch(new RegExp(`${name} +\\S+ \\S+ +by hand +\\d+ kB +sound`));
  await addRoom('Attic');
  const restored = await hearthd(['restore', name]);
  expect([restored.code, restored.out]).toEqual([0, `Restored ${name}.\n`]);
  expect(restored.err).toContain('To undo it: hearthd restore relay-before-restore-');
  expect(await rooms()).toEqual(['Default Room', 'Study']);
  expect((await hearthd(['backup', 'delete', name])).out).toBe(`Deleted ${name}.\n`);
  expect((await hearthd(['restore', name])).code).toBe(4);
});

it('writes one to a file, encrypted if it is asked to, and brings it back with or without a daemon', async () => {
  const file = relay.directory.file('moved.hearthd');
  const made = await hearthd(['backup', '--to', file, '--password-stdin'], { stdin: SECRET });
  expect([made.code, made.out, made.err]).toEqual([0, `Wrote ${file}.\n`, '']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(relay.directory.file('backups')).filter((name) => name.includes('manual'))).toEqual([]);
  expect((await hearthd(['backup', '--to', file])).err).toContain('the file already exists');
  expect((await hearthd(['backup', '--encrypt'])).code).toBe(2);
  const plain = await hearthd(['backup', '--to', relay.directory.file('plain.db')]);
  expect(plain.err).toContain('contains the keys of every device');

  await addRoom('Cellar');
  expect((await hearthd(['restore', file])).code).toBe(2);
  expect((await hearthd(['restore', file, '--password-stdin'], { stdin: SECRET })).code).toBe(0);
  expect(await rooms()).toEqual(['Default Room', 'Study']);

  await addRoom('Garage');
  await relay.stop();
  expect(await hearthd(['restore', 'nothing.db'])).toMatchObject({
    code: 4,
    err: 'No backup or file "nothing.db".\n',
  });
  expect((await hearthd(['restore', file], { secret: 'not the password' })).err).toContain('The password is wrong');
  const offline = await hearthd(['restore', file], { secret: SECRET });
  expect([offline.code, offline.err]).toEqual([0, expect.stringContaining('The daemon is not running')]);
  const undo = /hearthd restore (\S+)/.exec(offline.err)?.[1] ?? '';
  expect(existsSync(relay.directory.file('backups', undo))).toBe(true);
  await relay.start();
  expect(await rooms()).toEqual(['Default Room', 'Study']);
});

it('reports the result of every entry of another controller’s file', async () => {
  const file = relay.directory.file('pairing.json');
  writeFileSync(file, JSON.stringify({ Beacon: { AccessoryPairingID: 'AA:BB:CC:DD:EE:FF', Connection: 'BLE' } }));
  const answer = await hearthd(['import', file, '--dry-run']);
  expect([answer.code, answer.out]).toEqual([
    1,
    expect.stringMatching(/Beacon +AA:BB:CC:DD:EE:FF +not possible +It is reached/),
  ]);
  expect((await hearthd(['import', relay.directory.file('none.json')])).code).toBe(4);
});
