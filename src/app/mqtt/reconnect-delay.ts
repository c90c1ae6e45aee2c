import type { MqttFault } from '../../home/mqtt-connector.ts';

const FIRST_MS = 1_000;
/** The relay reconnects within a minute of the broker's return, and an absent broker costs little. */
export const MAX_DURATION_MS = 60_000;
/** Up to this share of the delay is cut off, so that not all relays connect at once after a power failure. */
const JITTER = 0.3;

/**
 * Delay before the next attempt, in milliseconds: 1 s, 2 s, 4 s … 60 s; 60 s from the start if only a user can fix the
 * error.
 * @param failures number of consecutive failed attempts.
 * @param random from 0 to 1
 */
export function reconnectDelay(fault: MqttFault, failures: number, random: number): number {
  const full =
    fault === 'network' ? Math.min(MAX_DURATION_MS, FIRST_MS * 2 ** Math.min(failures - 1, 16)) : MAX_DURATION_MS;
  return full * (1 - JITTER * random);
}
