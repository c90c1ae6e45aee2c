/**
 * The whole daemon publishes its home over Matter: built as it is installed, with the real process of the bridge, in a
 * network namespace whose cable leads to matter.js's controllers. They add it by the code that the command line prints.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Publication, PublicationController } from '../../src/contract/publications.ts';
import { type Controller, MatterNetwork } from '../drivers/matter/matter-network.ts';
import { BuiltDaemon, type BuiltProgram, buildProgram } from '../support/built-daemon.ts';
import { eventually } from '../support/e2e-relay.ts';
import { describeWithNamespaces } from '../support/network-namespace.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';

/** Building, and the start of the library in two processes, on a machine that has other work to do. */
const SLOW_MS = 300_000;

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
});
