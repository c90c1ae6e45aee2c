/** Published homes as a controller of another author (hap-controller) sees them. */

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, connect as dial, type Socket } from 'node:net';
import { HttpClient } from 'hap-controller';
import type { Answer } from '../support/e2e-relay.ts';
// Not by name: it changes what hap-controller computes with.
import '../support/accessories/quick-powers.ts';

/** One request to a relay as the system. */
export type Ask = (method: string, path: string, body?: unknown) => Promise<Answer>;
/** What hap-controller keeps of a pairing. */
export type PairingData = NonNullable<ConstructorParameters<typeof HttpClient>[3]>;

/** A bridge as the REST API shows it. */
export interface ShownBridge {
  readonly id: string;
  readonly name: string;
  readonly deviceId: string;
  readonly port: number;
  /** Where it is; on loopback unless given. */
  readonly host?: string;
  readonly setupCode: string;
  readonly configNumber: number;
  readonly accessories: number;
  readonly controllers: number;
}

export interface SeenCharacteristic {
  readonly aid: number;
  readonly iid: number;
  readonly type: string;
  readonly value?: unknown;
}

/** An accessory as a controller reads it. */
export interface SeenAccessory {
  readonly aid: number;
  readonly name: string;
  readonly serial: string;
  /** `iid type` of each service and characteristic. */
  readonly ids: readonly string[];
  readonly characteristics: readonly SeenCharacteristic[];
}

export interface SeenDatabase {
  readonly accessories: readonly SeenAccessory[];
  /** Everything that a controller must read again when it changes. */
  readonly shape: string;
}

const TYPE = { on: '25', name: '23', serial: '30' } as const;

/** hap-controller shows every type as a whole UUID. */
function isType(type: string, wanted: string): boolean {
  return type.replace(/^0+|-0000-1000-8000-0026BB765291$/gi, '').toUpperCase() === wanted;
}

export function controllerOf(
  { deviceId, port, host = '127.0.0.1' }: Pick<ShownBridge, 'deviceId' | 'port' | 'host'>,
  pairing?: PairingData,
): HttpClient {
  return new HttpClient(deviceId, host, port, pairing, {
    usePersistentConnections: true,
    subscriptionsUseSameConnection: true,
  });
}

/** Pairs for real. @returns what a controller keeps */
export async function pairWith(bridge: ShownBridge, port = bridge.port): Promise<PairingData> {
  const client = controllerOf({ ...bridge, port });
  try {
    await client.pairSetup(bridge.setupCode);
    const kept = client.getLongTermData();
    if (!kept) throw new Error('The controller has no keys');
    return kept;
  } finally {
    await client.close().catch(() => {});
  }
}

/** Verifies a pairing and reads the accessories. @throws if the bridge has other keys, or another controller */
export async function readBridge(bridge: ShownBridge, pairing: PairingData): Promise<SeenDatabase> {
  const client = controllerOf(bridge, pairing);
  try {
    return seen(await client.getAccessories());
  } finally {
    await client.close();
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails if it is not there.
function seen({ accessories }: any): SeenDatabase {
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const all = accessories.map(({ aid, services }: any): SeenAccessory => {
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    const characteristics = services.flatMap((one: any) =>
      one.characteristics.map((each: object) => ({ aid, ...each })),
    );
    const text = (type: string) =>
      // biome-ignore lint/suspicious/noExplicitAny: as above.
      services[0].characteristics.find((one: any) => isType(one.type, type))?.value;
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    const ids = services.flatMap((one: any) => [one, ...one.characteristics].map(({ iid, type }) => `${iid} ${type}`));
    return { aid, name: text(TYPE.name), serial: text(TYPE.serial), ids, characteristics };
  });
  const shape = JSON.stringify(accessories, function (this: { perms?: string[] }, key, value) {
    return key === 'value' && (this.perms?.includes('ev') || this.perms?.includes('pw')) ? undefined : value;
  });
  return { accessories: all, shape };
}

export function accessoryNamed({ accessories }: SeenDatabase, name: string): SeenAccessory {
  const found = accessories.find((one) => one.name === name);
  if (!found) throw new Error(`${name} is not published`);
  return found;
}

/** `aid.iid` of a characteristic. */
export function pointOf(accessory: SeenAccessory, type: string = TYPE.on): string {
  const found = accessory.characteristics.find((one) => isType(one.type, type));
  if (!found) throw new Error(`${accessory.name} has no characteristic ${type}`);
  return `${found.aid}.${found.iid}`;
}

/** A moment of pair-setup: at request `step` (M1, M3, M5), before the bridge has it, or before its answer is back. */
export interface PairingMoment {
  readonly step: 1 | 2 | 3;
  readonly when: 'asked' | 'answered';
}

/** Stands between a controller and a bridge, and acts at one moment of pair-setup; nothing passes afterwards. */
export async function interceptPairing(port: number, moment: PairingMoment, act: () => void) {
  const sockets = new Set<Socket>();
  let asked = 0;
  let isCut = false;
  const cut = (): void => {
    isCut = true;
    act();
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((near) => {
    const far = dial(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    near.on('data', (bytes) => {
      if (bytes.includes('/pair-setup')) asked += 1;
      if (!isCut && moment.when === 'asked' && asked === moment.step) cut();
      if (!isCut) far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (!isCut && moment.when === 'answered' && asked === moment.step) cut();
      if (!isCut) near.write(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
