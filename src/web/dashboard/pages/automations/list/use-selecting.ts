/** Selects automations of the list, by the rules of the tiles on the home page. */
import { useState } from 'react';
import { type TileSelection, toggled, withRange } from '../../home/selection.ts';
import type { AutomationEntry } from './automation-list.ts';

/** All are in one list. */
const GRID = 'automations';
const NONE: TileSelection = { ids: [], last: { id: '', grid: GRID } };

/**
 * @param shown what is filtered out is not acted on
 * @param isSelectable an automation that may not be changed can't be selected
 */
export function useSelecting(shown: readonly AutomationEntry[], isSelectable: (entry: AutomationEntry) => boolean) {
  const [selection, setSelection] = useState<TileSelection>();
  const order = shown.filter(isSelectable).map(({ id }) => id);
  const isSelected = ({ id }: AutomationEntry) => selection?.ids.includes(id) ?? false;
  const pickOf = (entry: AutomationEntry) =>
    selection && {
      isOn: isSelected(entry),
      isDisabled: !isSelectable(entry),
      onPick: (isRange: boolean) => {
        const last = { id: entry.id, grid: GRID };
        setSelection((before) => (isRange ? withRange(before, last, order) : toggled(before, last)));
      },
    };
  return {
    selection,
    selected: shown.filter((entry) => isSelected(entry) && isSelectable(entry)),
    pickOf,
    begin: () => setSelection(NONE),
    selectAll: () => setSelection((before) => ({ ...(before ?? NONE), ids: order })),
    end: () => setSelection(undefined),
  };
}
