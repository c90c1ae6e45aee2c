/** TCP connect and pair-verify, from nothing to a verified connection, against hap-controller's client. */
import { Connection } from '../../src/drivers/hap/connection.ts';
import { pairVerify } from '../../src/drivers/hap/pairing/pair-verify.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { startFleet } from '../support/accessories/fleet.ts';
import { pairingKeys } from '../support/accessories/identity.ts';
import { CONTROLLER } from './bench-daemon.ts';
import { rawClient } from './raw-hap-controller.ts';
import { median, printFinding, quantile } from './report.ts';

const WARM_UP = 30;
const ROUNDS = 200;

export async function benchConnectVerify(): Promise<void> {
  const fleet = await startFleet({ count: 1, controllers: [CONTROLLER] });
  const [member] = fleet.members;
  if (!member) throw new Error('no fleet');
  const keys = pairingKeys(CONTROLLER, { deviceId: member.deviceId, publicKey: member.accessoryPublicKey });
  const ours = async (): Promise<void> => {
    const connection = await Connection.open([{ host: '127.0.0.1', port: member.port }], { clock: systemClock });
    connection.secure(await pairVerify(connection.exchange, keys));
    connection.close();
  };
  const theirs = async (): Promise<void> => {
    const client = rawClient(member);
    await (client as unknown as { getDefaultVerifiedConnection(): Promise<unknown> }).getDefaultVerifiedConnection();
    await client.close();
  };
  const times = { ours: [] as number[], theirs: [] as number[] };
  const cpu = { ours: 0, theirs: 0 };
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    for (const [who, run] of [
      ['ours', ours],
      ['theirs', theirs],
    ] as const) {
      const used = process.cpuUsage();
      const start = performance.now();
      await run();
      if (round < WARM_UP) continue;
      times[who].push(performance.now() - start);
      const { user, system } = process.cpuUsage(used);
      cpu[who] += (user + system) / 1_000;
    }
  }
  await fleet.stop();
  printFinding({
    what: 'connect and pair-verify',
    ours: median(times.ours),
    baseline: median(times.theirs),
    unit: 'ms',
    target: { at: 'most', value: 0.3 },
    note: `p99 ${quantile(times.ours, 0.99).toFixed(2)} against ${quantile(times.theirs, 0.99).toFixed(2)} ms; processor time on our side ${(cpu.ours / ROUNDS).toFixed(2)} against ${(cpu.theirs / ROUNDS).toFixed(2)} ms each; the accessory's own share is in both`,
  });
}
