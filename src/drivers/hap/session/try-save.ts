import { messageOf } from '../../../kernel/errors.ts';
import type { AccessorySessionDeps } from './session-host.ts';

/** Saves data that the device can send again. A full disk must not end a connection. */
export function trySave(
  { logger, throttle }: AccessorySessionDeps,
  device: { readonly deviceId: string; readonly name: string },
  save: () => void,
): void {
  try {
    save();
  } catch (error) {
    throttle.once(`${device.deviceId}:save`, (skipped) =>
      logger.warn(
        { device: device.deviceId, name: device.name, error: messageOf(error), ...skipped },
        'Could not save data of the device',
      ),
    );
  }
}
