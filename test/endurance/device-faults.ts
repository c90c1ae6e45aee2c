/** What is done to a device of the home for a while. */
import { BUSY, isCommand, REGISTERS } from '../e2e/chaos-fixture.ts';
import type { RawRequest } from '../support/accessories/raw-wire.ts';
import { lastingPorts } from '../support/free-port.ts';
import type { Device } from './home.ts';
import type { Fault } from './plan.ts';

const SLOW_MS_PER_BYTE = 20;
const BUSY_TIMES = 3;
/** Addresses of loopback, one of which a device moves to. */
const ADDRESSES = 8;

/** Resolves when the device is well again. */
export async function strike(device: Device, fault: Fault, pause: (ms: number) => Promise<void>): Promise<void> {
  const { accessory } = device;
  const { byte, lastsMs } = fault;
  // One of two meets a command, the other anything.
  const on = (request: RawRequest): boolean => request.encrypted && (byte % 2 === 0 || isCommand(request));
  const move = async (to: { readonly port?: number; readonly address?: string }): Promise<void> => {
    await accessory.goOffline();
    await pause(lastsMs / 2);
    await accessory.restart(to);
    await pause(lastsMs / 2);
    await device.announceMove();
  };
  switch (fault.kind) {
    case 'drop':
      return accessory.disconnectAll();
    case 'forget':
      return accessory.forgetSessions();
    case 'cut':
      accessory.play({ on, cutAt: byte, cutWith: byte % 3 === 0 ? 'reset' : 'close' });
      break;
    case 'corrupt':
      accessory.play({ on, corruptAt: byte % 40 });
      break;
    case 'slow':
      accessory.play({ on: () => true, times: Number.POSITIVE_INFINITY, delayMs: byte * SLOW_MS_PER_BYTE });
      break;
    case 'silent':
      accessory.silent = true;
      break;
    case 'busy':
      for (const { iid } of device.isRegister ? REGISTERS : []) {
        accessory.fail({ aid: 1, iid, status: BUSY, on: 'write', times: BUSY_TIMES });
      }
      break;
    case 'off':
      await accessory.goOffline();
      await pause(lastsMs);
      return accessory.restart();
    case 'move':
      return move({ port: (await lastingPorts(1))[0] ?? 0 });
    case 'move-address':
      return move({ address: otherAddress(accessory.address, byte) });
    case 'lose-mdns':
      await device.hush();
      await pause(lastsMs);
      return device.announce();
    default:
      throw new Error(`${fault.kind} befalls no device`);
  }
  await pause(lastsMs);
  device.calm();
}

/** Another one of loopback than `address`. */
function otherAddress(address: string, random: number): string {
  const from = Number(address.split('.').at(-1)) - 1;
  return `127.0.0.${1 + ((from + 1 + (random % (ADDRESSES - 1))) % ADDRESSES)}`;
}
