/**
 * A process with one genuine HAP-NodeJS accessory, so that a test can stop it with SIGSTOP. Prints where it is over
 * IPC.
 */
import { startParts } from '../../support/accessories/demo-home.ts';

export interface ChildAccessory {
  readonly deviceId: string;
  readonly name: string;
  readonly port: number;
  readonly setupCode: string;
}

const [directory = '', only = ''] = process.argv.slice(2);
const { accessories } = await startParts({ directory, behave: false, only: [only] });
const [device] = accessories;
if (device) {
  const { deviceId, name, port, setupCode } = device;
  process.send?.({ deviceId, name, port, setupCode } satisfies ChildAccessory);
}
process.on('disconnect', () => process.exit());
