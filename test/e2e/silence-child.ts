/** What runs inside a network namespace: a relay that prints how a device seems to it, or the device. */
import { createSigningKeys } from '../support/accessories/identity.ts';
import { startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { lampAccessory } from '../support/accessories/sample-databases.ts';
import { E2eRelay } from '../support/e2e-relay.ts';
import { ScriptedDiscovery } from '../support/scripted-discovery.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';

export type Role =
  | {
      readonly role: 'relay';
      readonly directory: string;
      readonly deviceId: string;
      readonly host: string;
      readonly port: number;
    }
  | {
      readonly role: 'device';
      readonly deviceId: string;
      readonly seed: string;
      readonly controller: { readonly id: string; readonly publicKey: string };
      readonly host: string;
      readonly port: number;
    };

/** How the device seems, whenever that changes; and that the device is up. */
export interface Line {
  readonly status: string;
  readonly reachable: boolean;
}

const LOOK_EVERY_MS = 100;

function print(line: Line): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function runDevice({ deviceId, seed, controller, host, port }: Extract<Role, { role: 'device' }>): Promise<void> {
  const accessory = await startRawAccessory({
    database: [lampAccessory('Lamp')],
    deviceId,
    keys: createSigningKeys(Buffer.from(seed, 'hex')),
    paired: [{ id: controller.id, publicKey: Buffer.from(controller.publicKey, 'hex') }],
    mdns: false,
  });
  await TcpProxy.start(() => accessory.port, host, port);
  print({ status: 'up', reachable: true });
}

/** Nothing is asked of the device, and it is announced once: what is found out later is found out without help. */
async function runRelay({ directory: path, deviceId, host, port }: Extract<Role, { role: 'relay' }>): Promise<void> {
  const directory = { path, file: (name: string) => `${path}/${name}`, remove() {}, [Symbol.dispose]() {} };
  const discovery = new ScriptedDiscovery();
  discovery.announce({ deviceId, addresses: [host], port });
  const relay = await E2eRelay.start({ directory, overrides: { discovery } });
  let last = '';
  for (;;) {
    const { status } = await relay.pairing(deviceId);
    const reachable = (await relay.accessory('Lamp'))?.reachable ?? false;
    if (last !== `${status} ${reachable}`) print({ status, reachable });
    last = `${status} ${reachable}`;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

const argument = JSON.parse(process.argv[2] ?? '{}') as Role;
if (argument.role === 'relay') await runRelay(argument);
else await runDevice(argument);
