/**
 * From nothing to a verified connection, and to one that receives events, against hap-controller's client. The latter
 * takes a second connection with a key exchange of its own for events; ours has one for both. The accessory's own share
 * is in all results.
 */

import { pairVerify } from '../../src/drivers/hap/pairing/pair-verify.ts';
import { Connection } from '../../src/drivers/hap/wire/connection.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { startFleet } from '../support/accessories/fleet.ts';
import { pairingKeys } from '../support/accessories/identity.ts';
import { CONTROLLER } from './bench-daemon.ts';
import { rawClient } from './raw-hap-controller.ts';
import { median, printFinding, quantile } from './report.ts';

const WARM_UP = 30;
const ROUNDS = 150;
const ON = '{"characteristics":[{"aid":1,"iid":9,"ev":true}]}';

/** hap-controller hides the one call that connects and does nothing else. */
interface Verifying {
  getDefaultVerifiedConnection(): Promise<unknown>;
}

interface Times {
  readonly ms: number[];
  processorMs: number;
}

export async function benchConnectVerify(): Promise<void> {
  const fleet = await startFleet({ count: 1, controllers: [CONTROLLER] });
  const [member] = fleet.members;
  if (!member) throw new Error('no fleet');
  const keys = pairingKeys(CONTROLLER, { deviceId: member.deviceId, publicKey: member.accessoryPublicKey });
  const connect = async (subscribes: boolean): Promise<void> => {
    const connection = await Connection.open([{ host: '127.0.0.1', port: member.port }], { clock: systemClock });
    connection.secure(await pairVerify(connection.exchange, keys));
    if (subscribes) await connection.request({ method: 'PUT', path: '/characteristics', body: ON });
    connection.close();
  };
  const connectTheirs = async (subscribes: boolean): Promise<void> => {
    const client = rawClient(member);
    await (client as unknown as Verifying).getDefaultVerifiedConnection();
    if (subscribes) await client.subscribeCharacteristics(['1.9']);
    await client.close();
  };
  await compare(
    'connect and pair-verify',
    () => connect(false),
    () => connectTheirs(false),
  );
  await compare(
    'connect, pair-verify and subscribe',
    () => connect(true),
    () => connectTheirs(true),
  );
  await fleet.stop();
}

async function compare(what: string, ours: () => Promise<void>, theirs: () => Promise<void>): Promise<void> {
  const mine: Times = { ms: [], processorMs: 0 };
  const baseline: Times = { ms: [], processorMs: 0 };
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    await measure(ours, mine, round >= WARM_UP);
    await measure(theirs, baseline, round >= WARM_UP);
  }
  const each = ({ processorMs }: Times): string => (processorMs / ROUNDS).toFixed(2);
  printFinding({
    what,
    ours: median(mine.ms),
    baseline: median(baseline.ms),
    unit: 'ms',
    target: { at: 'most', value: 0.3 },
    note: `p99 ${quantile(mine.ms, 0.99).toFixed(2)} against ${quantile(baseline.ms, 0.99).toFixed(2)} ms; processor time on our side ${each(mine)} against ${each(baseline)} ms each`,
  });
}

async function measure(run: () => Promise<void>, times: Times, counts: boolean): Promise<void> {
  const used = process.cpuUsage();
  const start = performance.now();
  await run();
  if (!counts) return;
  times.ms.push(performance.now() - start);
  const { user, system } = process.cpuUsage(used);
  times.processorMs += (user + system) / 1_000;
}
