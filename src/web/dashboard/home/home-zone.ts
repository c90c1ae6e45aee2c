/** The time zone of the home: what it does by the clock is shown in it, wherever this device is. */
import { type Format, useFormat } from '../texts/format.ts';
import { useHome } from './use-home.ts';

/** `undefined` if the home follows the relay's zone: then the browser's is the best guess. */
export function useHomeZone(): string | undefined {
  return useHome().timeZone || undefined;
}

export function useHomeFormat(): Format {
  return useFormat(useHomeZone());
}
