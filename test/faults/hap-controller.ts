/** The npm package `hap-controller`, with the least that a user adds to it. */
import { fileURLToPath } from 'node:url';
import { REGISTERS, SENSOR } from '../e2e/chaos-fixture.ts';
import { hapControllerPairing } from '../support/accessories/identity.ts';
import { AskedProcess, startAsked } from '../support/asked-process.ts';
import { CONTROLLER, eventually } from '../support/e2e-relay.ts';
import { type StartController, WRITE_WITHIN_MS, type WriteAnswer } from './controller.ts';
import type { HapControllerRequest } from './hap-controller-child.ts';
import { inTime } from './in-time.ts';

const CHILD = fileURLToPath(new URL('./hap-controller-child.ts', import.meta.url));
const SHOWN_WITHIN_MS = 2_000;
const WRITTEN = `1.${REGISTERS[0].iid}`;

export const hapController: StartController = async (device) => {
  const pairing = JSON.stringify(hapControllerPairing(CONTROLLER, device));
  const { deviceId, address, port } = device;
  const started = await startAsked(['env'], CHILD, deviceId, address, String(port), `1.${SENSOR}`, pairing);
  const child = new AskedProcess<HapControllerRequest>(started);
  const shown = (): Promise<unknown> => inTime(child.ask({ do: 'shown' }), SHOWN_WITHIN_MS);
  await eventually(async () => (await shown()) === device.get(1, SENSOR), `${device.name} to be shown`);
  return {
    name: 'hap-controller',
    async write(value): Promise<WriteAnswer> {
      try {
        const answer = await inTime(child.ask({ do: 'write', point: WRITTEN, value }), WRITE_WITHIN_MS);
        if (answer === undefined) return 'none';
        return answer === true ? 'done' : 'error';
      } catch {
        return 'error';
      }
    },
    shown,
    stop: () => child.stop(),
  };
};
