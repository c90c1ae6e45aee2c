import { messageOf } from '../../kernel/errors.ts';
import type { AccessorySessionDeps } from './session-host.ts';

/** Saves data that the device can send again. A full disk must not end a connection. */
export function trySave({ logger, throttle }: AccessorySessionDeps, device: string, save: () => void): void {
  try {
    save();
  } catch (error) {
    throttle.once(`${device}:remember`, (suppressed) =>
      logger.warn({ device, error: messageOf(error), suppressed }, 'What was learned of it can’t be saved'),
    );
  }
}
