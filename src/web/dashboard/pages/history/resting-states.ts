/** The usual idle states of devices, drawn in muted colours. The relay's names (decisions §11). */
const RESTING: ReadonlySet<string> = new Set([
  ...['off', 'closed', 'locked', 'none', 'normal', 'idle', 'inactive', 'not_detected', 'clear', 'not_in_use'],
  ...['disarmed', 'dry', 'false', 'no'],
]);

export function isRestingState(word: string): boolean {
  return RESTING.has(word);
}
