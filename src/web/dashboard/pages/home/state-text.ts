/** An accessory's state in one short line. */

import deviceTexts from 'texts:devices';
import { describeState } from '../../devices/devices.ts';
import type { HomeAccessory } from '../../home/home-document.ts';
import { useIsPaused } from '../../home/use-home.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';

export function useStateText(): (accessory: HomeAccessory) => string {
  const t = useTexts(deviceTexts);
  const format = useFormat();
  const isPaused = useIsPaused();
  return (accessory) => describeState(accessory, t, format, isPaused);
}
