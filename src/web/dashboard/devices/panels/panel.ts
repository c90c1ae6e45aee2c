/** A panel: the controls of one service on the sheet of its accessory. `panels.ts` maps services to panels. */

import deviceTexts from 'texts:devices';
import panelTexts from 'texts:panels';
import type { HomeAccessory, HomeService } from '../../home/home-document.ts';
import { useWords } from '../../pickers/property-words.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';

export interface PanelProps {
  readonly accessory: HomeAccessory;
  readonly service: HomeService;
  /** The accessory does not answer, or the user has view access only. */
  readonly isDisabled: boolean;
  /** The service is what the accessory is for: its control is the large one of the sheet. */
  readonly isMain?: boolean;
}

export type PanelWords = ReturnType<typeof usePanelWords>;

/** The texts and number formats of a panel; `words` are those of properties. */
export function usePanelWords() {
  return { t: useTexts(panelTexts), d: useTexts(deviceTexts), format: useFormat(), words: useWords() };
}
