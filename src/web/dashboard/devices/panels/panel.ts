/** What a panel is: the controls of one service on the sheet of its accessory. `panels.ts` says which service has which. */
import type { HouseAccessory, HouseService } from '../../house/house-document.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { deviceTexts } from '../texts/texts.ts';
import { panelTexts } from './texts/texts.ts';

export interface PanelProps {
  readonly accessory: HouseAccessory;
  readonly service: HouseService;
  /** It does not answer, or the person may only look. */
  readonly isDisabled: boolean;
}

/** The words and numbers of a panel. */
export function usePanelWords() {
  return { t: useTexts(panelTexts), d: useTexts(deviceTexts), format: useFormat() };
}
