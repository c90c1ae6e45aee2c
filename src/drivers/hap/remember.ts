import { messageOf } from '../../kernel/errors.ts';
import type { SessionEnvironment } from './session-host.ts';

/** Saves what the device can tell anew. That there is no room for it on the disk must cost nobody a connection. */
export function remember({ logger, throttle }: SessionEnvironment, device: string, save: () => void): void {
  try {
    save();
  } catch (error) {
    throttle.once(`${device}:remember`, (suppressed) =>
      logger.warn({ device, error: messageOf(error), suppressed }, 'What was learned of it can’t be saved'),
    );
  }
}
