/** One kind of fault after the other befalls a device, and how its controller fares. */
import { setTimeout as delay } from 'node:timers/promises';
import { REGISTERS, registerAccessory, seededRandom } from '../e2e/chaos-fixture.ts';
import { strike } from '../endurance/device-faults.ts';
import { Device } from '../endurance/home.ts';
import { type DeviceFault, isOneOf, MOVING_FAULTS } from '../endurance/plan.ts';
import { startRawAccessory } from '../support/accessories/raw-accessory.ts';
import { KNOWN_CONTROLLER } from '../support/e2e-relay.ts';
import { lastingPorts } from '../support/free-port.ts';
import type { Controller, StartController } from './controller.ts';

export interface Fared {
  readonly rounds: number;
  /** Milliseconds from the end of each fault until a new value of the device was shown, where it was. */
  readonly back: readonly number[];
  /** Writes without an answer in time. */
  readonly unanswered: number;
  /** Writes that were refused although the device was well again. */
  readonly refused: number;
  /** Writes that were answered as done and never reached the device. */
  readonly lost: number;
  /** Writes that reached it twice. */
  readonly repeated: number;
}

export interface RoundsOptions {
  readonly kind: DeviceFault;
  readonly rounds: number;
  readonly seed: number;
  readonly start: StartController;
}

const LASTS_MS = { from: 500, to: 4_000 };
/** Further than a reply to a write is long. */
const BYTES = 60;
const BACK_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 20;

export async function fare({ kind, rounds, seed, start }: RoundsOptions): Promise<Fared> {
  const random = seededRandom(seed);
  const [port = 0] = await lastingPorts(1);
  const accessory = await startRawAccessory({
    ...{ port, name: 'Register', paired: [KNOWN_CONTROLLER], mdns: false },
    database: [registerAccessory('Register')],
  });
  const device = new Device(accessory, true);
  if (isOneOf(MOVING_FAULTS, kind)) await device.announce();
  const answers = new Map<number, string>();
  const back: number[] = [];
  let controller = await start(accessory);
  let unanswered = 0;
  let refused = 0;
  let value = 0;
  const write = async (): Promise<string> => {
    value += 1;
    const written = value;
    const answer = await controller.write(written);
    answers.set(written, answer);
    if (answer === 'none') unanswered += 1;
    return answer;
  };
  try {
    for (let round = 0; round < rounds; round += 1) {
      const lastsMs = LASTS_MS.from + random() * (LASTS_MS.to - LASTS_MS.from);
      const byte = Math.floor((round * BYTES) / rounds);
      const struck = strike(device, { at: 0, kind, device: 0, lastsMs, byte, wrongByMs: 0 }, (ms) => delay(ms));
      await Promise.all([struck, write()]);
      const tookMs = await untilShown(controller, device.mark());
      if (tookMs === undefined) {
        await controller.stop();
        controller = await start(accessory);
      } else {
        back.push(tookMs);
        if ((await write()) === 'error') refused += 1;
      }
    }
  } finally {
    await controller.stop();
    await device.stop();
  }
  const timesOf = (written: number): number =>
    accessory.writes.filter((one) => one.iid === String(REGISTERS[0].iid) && one.value === written).length;
  const all = [...answers];
  return {
    ...{ rounds, back, unanswered, refused },
    lost: all.filter(([written, answer]) => answer === 'done' && timesOf(written) === 0).length,
    repeated: all.filter(([written]) => timesOf(written) > 1).length,
  };
}

/** @returns after how many milliseconds; nothing if it is not shown in time */
async function untilShown(controller: Controller, value: number): Promise<number | undefined> {
  const from = performance.now();
  while (performance.now() - from < BACK_WITHIN_MS) {
    if ((await controller.shown()) === value) return performance.now() - from;
    await delay(LOOK_EVERY_MS);
  }
  return undefined;
}
