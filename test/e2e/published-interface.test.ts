/**
 * The network of a relay that publishes its home goes and comes back, as it does after a router was switched off or an
 * adapter was pulled out. The daemon as it is installed, in a network namespace of its own; a HomeKit and a Matter
 * controller of other authors on the other end of the cable. Nothing of it is restarted.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Publication } from '../../src/contract/publications.ts';
import { type Controller, MatterNetwork } from '../drivers/matter/matter-network.ts';
import { AskedProcess } from '../support/asked-process.ts';
import { BuiltDaemon, type BuiltProgram, buildProgram } from '../support/built-daemon.ts';
import { eventually } from '../support/e2e-relay.ts';
import { describeWithNamespaces } from '../support/network-namespace.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import type { FoundService, HomeKitRequest } from './homekit-controller-child.ts';
import { accessoryNamed, pointOf, type SeenDatabase, type ShownBridge } from './publishing-fixture.ts';

const CHILD = join(import.meta.dirname, 'homekit-controller-child.ts');
/** Building, and the start of the library in two processes, on a machine that has other work to do. */
const SLOW_MS = 300_000;
/** A controller may wait for a minute before it tries again. */
const RECOVERY_MS = 3 * PATIENCE_MS;
const FIRST_ADDRESS = '10.77.0.1';
const OTHER_ADDRESS = '10.77.0.91';

describeWithNamespaces('the network of a relay that publishes its home', () => {
  let network: MatterNetwork;
  let program: BuiltProgram;
  let directory: TempDirectory;
  let daemon: BuiltDaemon;
  let hub: AskedProcess<HomeKitRequest>;
  let phone: Controller;
  let lamp: number;
  let point: string;
  let before: unknown;

  const hearthd = async (...words: readonly string[]) => {
    const { code, out, err } = await daemon.command(...words);
    if (code !== 0) throw new Error(`hearthd ${words.join(' ')}: ${out}${err}`);
    return out;
  };
  const json = async (...words: readonly string[]) => JSON.parse(await hearthd(...words, '--json'));
  const bridgeOf = async (name: string) => ((await json('publish', 'show', name)) as Publication).bridges[0];
  const isOn = async () => JSON.stringify(await json('state', '--name', 'Lamp')).includes('"on":true');
  const services = (type: string) => hub.ask({ do: 'services', type }) as Promise<readonly FoundService[]>;

  /** The HomeKit bridge, at the place that multicast DNS gives for it. */
  async function found(address: string): Promise<ShownBridge> {
    const bridge = await bridgeOf('Apple');
    await eventually(async () => {
      const all = await services('_hap._tcp.local');
      return all.some(({ port, addresses }) => port === bridge?.port && addresses.includes(address));
    }, `the HomeKit bridge at ${address}`);
    return { ...bridge, host: address } as unknown as ShownBridge;
  }

  /** Everything that must never change: ids, codes, keys and what controllers have stored. */
  async function identity(bridge: ShownBridge) {
    const apple = await bridgeOf('Apple');
    const matter = await bridgeOf('Matter');
    const { shape } = (await hub.ask({ do: 'database', bridge })) as SeenDatabase;
    return { pid: daemon.pid, apple, matter, shape, endpoints: await phone.endpoints() };
  }

  async function controllersWorkAt(address: string): Promise<void> {
    const bridge = await found(address);
    await eventually(async () => {
      const all = await services('_matter._tcp.local');
      return all.some(({ addresses }) => addresses.includes(address));
    }, `the Matter bridge at ${address}`);

    // What was set while the network was gone.
    await hub.ask({ do: 'subscribe', bridge, point });
    expect(Boolean(await hub.ask({ do: 'read', point }))).toBe(true);
    await hub.ask({ do: 'write', point, value: false });
    expect(await isOn()).toBe(false);

    // The session of before is gone, which the controller notices by trying.
    await eventually(
      async () => {
        await phone.invoke(lamp, 'onOff', 'on').catch(() => {});
        return isOn();
      },
      'the lamp to be on by Matter',
      RECOVERY_MS,
    );
    expect(await phone.read(lamp, 'onOff')).toMatchObject({ onOff: true });
    await eventually(
      async () => (await phone.state(lamp, 'onOff')).onOff === true,
      'the Matter subscription',
      RECOVERY_MS,
    );
    await hearthd('set', 'Lamp', 'on=false');
    await eventually(async () => {
      const values = (await hub.ask({ do: 'events' })) as readonly unknown[];
      return Boolean(values.at(-2)) && !values.at(-1);
    }, 'the HomeKit events');
    await eventually(async () => (await phone.state(lamp, 'onOff')).onOff === false, 'the Matter report', RECOVERY_MS);
    expect(await identity(bridge)).toEqual(before);
    expect(daemon.isRunning).toBe(true);
  }

  beforeAll(async () => {
    network = await MatterNetwork.create();
    program = buildProgram();
    directory = createTempDirectory('published-interface');
    daemon = await BuiltDaemon.start({
      ...{ program, directory, before: network.before, network: ['--interface', 'v0'] },
    });
    await hearthd('virtual', 'create', 'switch', 'Lamp');
    await hearthd('publish', 'create', '--kind', 'homekit', '--name', 'Apple');
    await hearthd('publish', 'create', '--kind', 'matter', '--name', 'Matter');
    [hub, phone] = await Promise.all([
      network.startOutside(CHILD, '10.77.0.2').then((child) => network.keep(new AskedProcess<HomeKitRequest>(child))),
      network.controller('Phone'),
    ]);
    const bridge = await found(FIRST_ADDRESS);
    await hub.ask({ do: 'pair', bridge });
    point = pointOf(accessoryNamed((await hub.ask({ do: 'database', bridge })) as SeenDatabase, 'Lamp'));
    await eventually(async () => (await bridgeOf('Matter'))?.port !== null, 'the Matter bridge to be open');
    await phone.commission((await bridgeOf('Matter'))?.manualCode ?? '');
    lamp = (await phone.endpoints()).find(({ label }) => label === 'Lamp')?.number ?? 0;
    await hub.ask({ do: 'subscribe', bridge, point });
    await eventually(async () => (await bridgeOf('Matter'))?.controllers === 1, 'the controller to be listed');
    before = await identity(bridge);
  }, SLOW_MS);

  afterAll(async () => {
    await daemon?.[Symbol.asyncDispose]();
    await network?.remove();
    program?.[Symbol.dispose]();
    directory?.remove();
  });

  describe('goes and comes back, and both bridges are found and work again', () => {
    it('after its interface was down', { timeout: SLOW_MS }, async () => {
      network.setDown();
      await hearthd('set', 'Lamp', 'on=true');
      await hub.ask({ do: 'forget' });
      await network.setUp();
      await controllersWorkAt(FIRST_ADDRESS);
    });

    it('after its interface was taken out and another one has another address', { timeout: SLOW_MS }, async () => {
      network.unplug();
      await hearthd('set', 'Lamp', 'on=true');
      await hub.ask({ do: 'forget' });
      await network.plugIn(OTHER_ADDRESS);
      await controllersWorkAt(OTHER_ADDRESS);
      const all = [...(await services('_hap._tcp.local')), ...(await services('_matter._tcp.local'))];
      expect(all.flatMap(({ addresses }) => addresses)).not.toContain(FIRST_ADDRESS);
    });
  });
});
