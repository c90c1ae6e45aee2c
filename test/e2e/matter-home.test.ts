/**
 * The whole daemon publishes its home over Matter: built as it is installed, with the real process of the bridge, in a
 * network namespace whose cable leads to matter.js's controllers. They add it by the code that the command line prints.
 */
import { copyFileSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ActivityReport } from '../../src/contract/activity.ts';
import type { Publication, PublicationController } from '../../src/contract/publications.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { type Controller, MatterNetwork } from '../drivers/matter/matter-network.ts';
import { BuiltDaemon, type BuiltProgram, buildProgram } from '../support/built-daemon.ts';
import { eventually } from '../support/e2e-relay.ts';
import { describeWithNamespaces, type NamespaceChild } from '../support/network-namespace.ts';
import { filesIn, findings, spellings } from '../support/secret-search.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import type { LockLine } from './lock-child.ts';

/** Building, and the start of the library in two processes, on a machine that has other work to do. */
const SLOW_MS = 300_000;
/** Of eight digits: fewer turn up by chance in files and logs. */
const PIN = '48291573';
const [LOCKED, UNLOCKED] = [1, 2];

describeWithNamespaces('a home that is published over Matter', () => {
  let network: MatterNetwork;
  let program: BuiltProgram;
  let directory: TempDirectory;
  let daemon: BuiltDaemon;
  let created: Publication;
  let phone: Controller;
  let lamp: number;

  const start = () =>
    BuiltDaemon.start({
      program,
      directory,
      before: network.before,
      network: ['--interface', 'v0', '--host', '127.0.0.1'],
    });
  const hearthd = async (...words: readonly string[]) => {
    const { code, out, err } = await daemon.command(...words);
    if (code !== 0) throw new Error(`hearthd ${words.join(' ')}: ${out}${err}`);
    return out;
  };
  const json = async (...words: readonly string[]) => JSON.parse(await hearthd(...words, '--json'));
  const bridge = async () => ((await json('publish', 'show', 'Hearth')) as Publication).bridges[0];
  const controllers = (): Promise<readonly PublicationController[]> => json('publish', 'controllers', 'Hearth');
  const printedCode = async () => /^Setup code: (\d{11})$/m.exec(await hearthd('publish', 'show', 'Hearth'))?.[1] ?? '';
  const isOn = async () => JSON.stringify(await json('state', '--name', 'Lamp')).includes('"on":true');

  let device: NamespaceChild<LockLine>;
  let lock: number;
  const operate = (command: 'lockDoor' | 'unlockDoor', pinCode?: string) =>
    phone.invoke(lock, 'doorLock', command, pinCode === undefined ? {} : { pinCode });
  /** What the lock itself was asked for. */
  const targets = () => device.lines.flatMap((line) => ('target' in line ? [line.target] : []));
  const shown = async () => (await phone.state(lock, 'doorLock')).lockState;
  const setPin = async (lockPin: string | null) => {
    const answer = await daemon.asSystem('PATCH', `/rest/publications/${created.id}`, { lockPin });
    expect(answer).toMatchObject({ status: 200, body: { hasLockPin: lockPin !== null } });
  };
  const hasPin = ({ featureMap }: Record<string, unknown>) =>
    (featureMap as { readonly pinCredential: boolean }).pinCredential;
  const refusals = async () => {
    const { body } = await daemon.asSystem('GET', '/rest/activity?kind=lock');
    return (body as readonly ActivityReport[]).map(({ subject, value, actor }) => [subject.name, value, actor.name]);
  };

  beforeAll(async () => {
    network = await MatterNetwork.create();
    program = buildProgram();
    directory = createTempDirectory('matter-home');
    daemon = await start();
    await hearthd('virtual', 'create', 'switch', 'Lamp');
    created = await json('publish', 'create', '--kind', 'matter', '--name', 'Hearth');
    phone = await network.controller('Phone');
  }, SLOW_MS);

  afterAll(async () => {
    await daemon?.[Symbol.asyncDispose]();
    await network?.remove();
    program?.[Symbol.dispose]();
    directory?.remove();
  });

  it('prints what it takes to add it', async () => {
    expect(created).toMatchObject({ kind: 'matter', status: 'open', error: null });
    expect(created.bridges).toMatchObject([
      {
        ...{ name: 'Hearth', port: 5_540, hasMatterPort: true, windowEndsAt: null, accessories: 1, controllers: 0 },
        qrCode: expect.stringMatching(/^MT:/),
      },
    ]);
    expect(created.bridges[0]?.manualCode).toBe(await printedCode());
  });

  it('is added by that code, shows the lamp and switches it', async () => {
    await phone.commission(await printedCode());
    lamp = (await phone.endpoints()).find(({ label }) => label === 'Lamp')?.number ?? 0;
    expect(await phone.read(lamp, 'onOff')).toMatchObject({ onOff: false });
    await phone.invoke(lamp, 'onOff', 'on');
    await eventually(isOn, 'the lamp to be on');
    await eventually(async () => {
      const [first, ...others] = await controllers();
      return others.length === 0 && first?.isConnected && first.name?.includes('Phone');
    }, 'the controller to be listed');
  });

  it('reports what changes at home', async () => {
    await eventually(async () => (await phone.state(lamp, 'onOff')).onOff === true, 'the lamp to be on');
    await hearthd('set', 'Lamp', 'on=false');
    await eventually(async () => (await phone.state(lamp, 'onOff')).onOff === false, 'the report');
  });

  it('lets another controller in by the same code while its window is open, and shows until when', async () => {
    expect((await bridge())?.windowEndsAt).toBeNull();
    await hearthd('publish', 'open-window', 'Hearth');
    await eventually(async () => (await bridge())?.windowEndsAt !== null, 'the window to be open');
    expect(await hearthd('publish', 'show', 'Hearth')).toContain('Controllers can be added until ');
    const other = await network.controller('Speaker');
    await other.commission(await printedCode());
    await other.invoke(lamp, 'onOff', 'on');
    await eventually(isOn, 'the lamp to be on');
    await eventually(async () => (await phone.state(lamp, 'onOff')).onOff === true, 'the report to the first');
    await eventually(async () => (await bridge())?.windowEndsAt === null, 'the window to be closed');
    await eventually(async () => (await controllers()).length === 2, 'both controllers to be listed');
    await other.stop();
  });

  it(
    'operates a real lock, without a PIN at first',
    async () => {
      const { body } = await daemon.asSystem('GET', '/rest/homes');
      await daemon.asSystem('PATCH', `/rest/history/homes/${body[0].id}`, { enabled: true });
      device = network.runBeside<LockLine>(join(import.meta.dirname, 'lock-child.ts'), {
        directory: directory.file('lock'),
      });
      await eventually(() => device.lines.length > 0, 'the lock to be there');
      const [where] = device.lines;
      if (!where || !('port' in where)) throw new Error('The lock did not say where it is');
      await hearthd('discover', '--add', `127.0.0.1:${where.port}`);
      await hearthd('pair', `127.0.0.1:${where.port}`, '--code', where.setupCode);
      await eventually(async () => {
        lock = (await phone.endpoints()).find(({ label }) => label === 'Front Door')?.number ?? 0;
        return lock !== 0;
      }, 'the lock to be published');
      await operate('unlockDoor');
      await eventually(() => targets().join() === '0', 'the lock to be asked');
      await eventually(async () => (await shown()) === UNLOCKED, 'the report');
      await operate('lockDoor');
      await eventually(async () => (await shown()) === LOCKED, 'the report');
    },
    SLOW_MS,
  );

  it('asks for the PIN for locks that an admin sets: none and a wrong one are refused', async () => {
    const before = await phone.endpoints();
    await setPin(PIN);
    await eventually(async () => hasPin(await phone.state(lock, 'doorLock')), 'the lock to ask for it');
    expect(await phone.endpoints()).toEqual(before);
    await expect(operate('unlockDoor')).rejects.toThrow('status 1');
    await expect(operate('unlockDoor', '00000000')).rejects.toThrow('status 1');
    expect(targets()).toEqual([0, 1]);
    await operate('unlockDoor', PIN);
    await eventually(() => targets().join() === '0,1,0', 'the lock to be asked');
    await eventually(async () => (await shown()) === UNLOCKED, 'the report');
    expect(await refusals()).toEqual(
      expect.arrayContaining([
        ['Front Door', 'no_pin', 'Hearth'],
        ['Front Door', 'wrong_pin', 'Hearth'],
      ]),
    );
  });

  it('takes none after five wrong PINs', async () => {
    for (let count = 1; count <= 5; count += 1) {
      await expect(operate('lockDoor', '00000000')).rejects.toThrow('status 1');
    }
    await expect(operate('lockDoor', PIN)).rejects.toThrow('status 1');
    expect((await refusals())[0]).toEqual(['Front Door', 'pin_blocked', 'Hearth']);
    expect(targets()).toEqual([0, 1, 0]);
  });

  it('is the same bridge after the daemon was killed', async () => {
    const { manualCode, qrCode } = created.bridges[0] ?? {};
    await daemon.end('SIGKILL');
    daemon = await start();
    await eventually(async () => (await bridge())?.port !== null, 'the bridge to be open');
    expect(await bridge()).toMatchObject({ manualCode, qrCode, controllers: 2 });
    // The session of before is gone, which the controller notices by trying.
    await eventually(async () => {
      await phone.invoke(lamp, 'onOff', 'off').catch(() => {});
      return !(await isOn());
    }, 'the lamp to be off');
    await hearthd('set', 'Lamp', 'on=true');
    await eventually(async () => (await phone.state(lamp, 'onOff')).onOff === true, 'the report');
  });

  it('still asks for the PIN after the kill, and takes it at once when an admin sets it again', async () => {
    await expect(operate('lockDoor')).rejects.toThrow('status 1');
    await expect(operate('lockDoor', '00000000')).rejects.toThrow('status 1');
    expect(targets()).toEqual([0, 1, 0]);
    await setPin(PIN);
    await operate('lockDoor', PIN);
    await eventually(() => targets().join() === '0,1,0,1', 'the lock to be asked');
  });

  it('has only a hash of it in the files, the log and a backup', async () => {
    const { name } = await json('backup');
    const files = filesIn(daemon.dataDir).filter((file) => lstatSync(join(daemon.dataDir, file)).isFile());
    const backup = files.find((file) => file.endsWith(name)) ?? '';
    const copy = directory.file('copy.db');
    copyFileSync(join(daemon.dataDir, backup), copy);
    const database = openDatabase(copy);
    const hashes = database.prepare('SELECT lock_pin_hash FROM publications').pluck().all();
    database.close();
    expect(hashes).toEqual([expect.stringMatching(/^\$argon2id\$/)]);
    const secrets = spellings('the PIN', PIN);
    const found = files.flatMap((file) => findings(file, readFileSync(join(daemon.dataDir, file)), secrets));
    expect([...found, ...findings('log', daemon.out + daemon.err, secrets)]).toEqual([]);
    expect(daemon.out).toContain('A lock refused a Matter controller');
    expect(daemon.out).not.toContain('refused an endpoint');
  });

  it('operates the lock without one again once it is removed', async () => {
    await setPin(null);
    await eventually(async () => !hasPin(await phone.read(lock, 'doorLock')), 'the lock to ask for none');
    await operate('unlockDoor');
    await eventually(() => targets().at(-1) === 0, 'the lock to be asked');
  });
});
