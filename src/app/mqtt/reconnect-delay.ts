import type { MqttFault } from '../../home/mqtt-connector.ts';

const FIRST_MS = 1_000;
/** So that a broker that comes back is found within a minute, and one that never does costs nothing. */
export const LONGEST_MS = 60_000;
/** Up to so much of a delay is left off: not all relays of a house come at once when the power does. */
const JITTER = 0.3;

/**
 * How long to wait before the next try, in milliseconds: 1 s, 2 s, 4 s … 60 s; at once 60 s where only people can help.
 * @param failures tries in a row that came to nothing. @param random from 0 to 1
 */
export function reconnectDelay(fault: MqttFault, failures: number, random: number): number {
  const full = fault === 'network' ? Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 16)) : LONGEST_MS;
  return full * (1 - JITTER * random);
}
