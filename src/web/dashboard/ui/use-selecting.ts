/** Selects things of a list, by the rules of the tiles on the home page. */
import { useState } from 'react';
import { type TileSelection, toggled, withRange } from '../pages/home/selection.ts';

/** All are in one list. */
const GRID = 'list';
const NONE: TileSelection = { ids: [], last: { id: '', grid: GRID } };

/** What the checkbox of one thing needs, while things are being selected. */
export interface PickState {
  readonly isOn: boolean;
  readonly isDisabled: boolean;
  /** @param isRange with Shift: everything from the last one to this */
  readonly onPick: (isRange: boolean) => void;
}

/**
 * @param shown what is filtered out is not acted on
 * @param isSelectable what may not be changed can't be selected
 */
export function useSelecting<T extends { readonly id: string }>(
  shown: readonly T[],
  isSelectable: (one: T) => boolean = () => true,
) {
  const [selection, setSelection] = useState<TileSelection>();
  const order = shown.filter(isSelectable).map(({ id }) => id);
  const isSelected = ({ id }: T) => selection?.ids.includes(id) ?? false;
  const pickOf = (one: T): PickState | undefined =>
    selection && {
      isOn: isSelected(one),
      isDisabled: !isSelectable(one),
      onPick: (isRange) => {
        const last = { id: one.id, grid: GRID };
        setSelection((before) => (isRange ? withRange(before, last, order) : toggled(before, last)));
      },
    };
  return {
    selection,
    selected: shown.filter((one) => isSelected(one) && isSelectable(one)),
    pickOf,
    begin: () => setSelection(NONE),
    selectAll: () => setSelection((before) => ({ ...(before ?? NONE), ids: order })),
    end: () => setSelection(undefined),
  };
}
