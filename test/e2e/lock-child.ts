/**
 * A genuine HAP-NodeJS lock in a process of its own: for a network namespace. Its first line of output is where it is
 * and its setup code, each further one a state that it was asked for.
 */
import { Characteristic, Service } from '@homebridge/hap-nodejs';
import { startParts } from '../support/accessories/demo-home.ts';

export type LockLine =
  | { readonly port: number; readonly setupCode: string }
  /** 0 is unlocked. */
  | { readonly target: number };

function print(line: LockLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

const { directory } = JSON.parse(process.argv[2] ?? '') as { readonly directory: string };
const { accessories } = await startParts({ directory, behave: false, only: ['Front Door'] });
const [lock] = accessories;
if (!lock) throw new Error('There is no lock');
lock.accessory
  .getService(Service.LockMechanism)
  ?.getCharacteristic(Characteristic.LockTargetState)
  .on('change', ({ newValue }) => print({ target: Number(newValue) }));
print({ port: lock.port, setupCode: lock.setupCode });
