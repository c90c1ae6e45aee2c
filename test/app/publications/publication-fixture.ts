/** A home with publications, on fake HAP servers. */
import type { ShownPublication } from '../../../src/app/publications/publications.ts';
import type { NewPublication } from '../../../src/contract/publications.ts';
import { FakeBridges } from '../../support/fake-bridges.ts';
import { createTestHome, systemCaller, type TestHome, type TestHomeOptions } from '../../support/test-home.ts';

/** Longer than changes of the layout are gathered. */
export const GATHERED_MS = 1_000;

export interface PublishedHome extends TestHome {
  readonly bridges: FakeBridges;
  publish(input?: Partial<NewPublication>): Promise<ShownPublication>;
  /** Lets gathered changes reach the bridges. */
  settle(): Promise<void>;
}

/** Its servers are open. */
export async function openPublishedHome(options: TestHomeOptions = {}): Promise<PublishedHome> {
  const bridges = new FakeBridges();
  const home = createTestHome({ sample: true, openBridge: bridges.open, ...options });
  await home.publications.servers.start();
  return Object.assign(home, {
    bridges,
    publish: (input: Partial<NewPublication> = {}) =>
      home.publications.create(systemCaller, { name: 'Hearth', kind: 'homekit', homeId: home.home.id, ...input }),
    async settle() {
      await home.clock.advance(GATHERED_MS);
    },
  });
}

/** The accessory of this name, as controllers of a bridge read it. */
export function publishedNamed(home: PublishedHome, name: string, bridge = 'Hearth') {
  const { content } = home.bridges.named(bridge).deps;
  const found = content.accessories().find(({ aid, services }) => {
    const point = services[0]?.characteristics.find(({ type }) => type === '23');
    const read = point && content.read(aid, point.iid);
    return read?.ok === true && read.value === name;
  });
  if (!found) throw new Error(`${name} is not published`);
  const characteristic = (type: string, at = 0) => {
    const all = found.services.flatMap(({ characteristics }) => characteristics).filter((one) => one.type === type);
    const one = all[at];
    if (!one) throw new Error(`${name} has no characteristic ${type}`);
    return one;
  };
  return {
    ...found,
    characteristic,
    read: (type: string, at = 0, controller = 'controller') =>
      content.read(found.aid, characteristic(type, at).iid, controller),
    write: async (type: string, value: unknown, at = 0) => {
      const [status] = await content.write('controller', [
        { aid: found.aid, iid: characteristic(type, at).iid, value },
      ]);
      return status;
    },
  };
}

/** Every aid and iid of a bridge, by what has it. */
export function idsOf(home: PublishedHome, bridge = 'Hearth'): readonly string[] {
  return home.bridges
    .named(bridge)
    .deps.content.accessories()
    .flatMap(({ aid, services }) =>
      services.flatMap(({ iid, type, characteristics }) => [
        `${aid}.${iid} ${type}`,
        ...characteristics.map((one) => `${aid}.${one.iid} ${type} ${one.type}`),
      ]),
    );
}
