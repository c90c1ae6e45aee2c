/** Actions for all selected tiles. */

import homeTexts from 'texts:home';
import selectingTexts from 'texts:selecting';
import { Button, NativeSelect } from '@mantine/core';
import { Eye, EyeOff, Group as GroupIcon, ListChecks, Star, StarOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import { SelectionBar } from '../../../ui/selection-bar.tsx';
import type { ThingActs } from './thing-row.tsx';

export interface TileActionsProps {
  readonly ids: readonly string[];
  /** How many are selected, where these are not accessories. */
  readonly count?: number;
  /** The possible target rooms; none without permission to move. */
  readonly rooms: readonly { readonly id: string; readonly name: string }[];
  /** All of them are: the action takes it back. */
  readonly areFavourites: boolean;
  readonly areHidden: boolean;
  readonly acts: Pick<ThingActs, 'move' | 'favour' | 'hide'>;
  /** Left out where groups can't be made. */
  readonly onGroup?: {
    readonly run: () => void;
    /** They can't become one group. */
    readonly isDisabled: boolean;
  };
  readonly onSelectAll?: (() => void) | undefined;
  /** Further actions. */
  readonly children?: ReactNode;
  readonly onClear: () => void;
}

export function TileActions({
  ids,
  count = ids.length,
  rooms,
  areFavourites,
  areHidden,
  acts,
  onGroup,
  onSelectAll,
  children,
  onClear,
}: TileActionsProps) {
  const t = useTexts(homeTexts).edit;
  const words = useTexts(selectingTexts);
  const after = (act: () => void) => () => {
    act();
    onClear();
  };
  const isDisabled = ids.length === 0;
  return (
    <SelectionBar label={words.selected({ count })} clearLabel={words.clear} onClear={onClear}>
      {onSelectAll && (
        <Button variant="default" leftSection={<ListChecks size={16} aria-hidden />} onClick={onSelectAll}>
          {words.selectAll}
        </Button>
      )}
      {rooms.length > 0 && (
        <NativeSelect
          aria-label={t.moveTo}
          value=""
          onChange={({ currentTarget }) => after(() => acts.move(ids, currentTarget.value))()}
          data={[
            { value: '', label: t.moveTo, disabled: true },
            ...rooms.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      {onGroup && (
        <Button
          variant="default"
          leftSection={<GroupIcon size={16} aria-hidden />}
          disabled={onGroup.isDisabled}
          title={onGroup.isDisabled ? t.groupable : undefined}
          onClick={onGroup.run}
        >
          {t.group}
        </Button>
      )}
      <Button
        variant="default"
        leftSection={areFavourites ? <StarOff size={16} aria-hidden /> : <Star size={16} aria-hidden />}
        disabled={isDisabled}
        aria-label={areFavourites ? t.unfavour : undefined}
        onClick={after(() => acts.favour(ids, !areFavourites))}
      >
        {t.favouriteBadge}
      </Button>
      <Button
        variant="default"
        leftSection={areHidden ? <Eye size={16} aria-hidden /> : <EyeOff size={16} aria-hidden />}
        disabled={isDisabled}
        onClick={after(() => acts.hide(ids, !areHidden))}
      >
        {areHidden ? t.showShort : t.hideShort}
      </Button>
      {children}
    </SelectionBar>
  );
}
