/** Actions for all selected tiles. */

import homeTexts from 'texts:home';
import { NativeSelect } from '@mantine/core';
import { DoorOpen, Eye, EyeOff, Group as GroupIcon, Star, StarOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import { SelectionAct, SelectionBar, SelectionChoice } from '../../../ui/selection-bar.tsx';
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
  const after = (act: () => void) => () => {
    act();
    onClear();
  };
  const isDisabled = ids.length === 0;
  return (
    <SelectionBar count={count} onSelectAll={onSelectAll} onClear={onClear}>
      {rooms.length > 0 && (
        <SelectionChoice icon={<DoorOpen aria-hidden />}>
          <NativeSelect
            aria-label={t.moveTo}
            title={t.moveTo}
            value=""
            onChange={({ currentTarget }) => after(() => acts.move(ids, currentTarget.value))()}
            data={[
              { value: '', label: t.moveTo, disabled: true },
              ...rooms.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </SelectionChoice>
      )}
      {onGroup && (
        <SelectionAct
          icon={<GroupIcon aria-hidden />}
          label={t.group}
          disabled={onGroup.isDisabled}
          {...(onGroup.isDisabled && { title: t.groupable })}
          onClick={onGroup.run}
        />
      )}
      <SelectionAct
        icon={areFavourites ? <StarOff aria-hidden /> : <Star aria-hidden />}
        label={t.favouriteBadge}
        disabled={isDisabled}
        {...(areFavourites && { 'aria-label': t.unfavour, title: t.unfavour })}
        onClick={after(() => acts.favour(ids, !areFavourites))}
      />
      <SelectionAct
        icon={areHidden ? <Eye aria-hidden /> : <EyeOff aria-hidden />}
        label={areHidden ? t.showShort : t.hideShort}
        disabled={isDisabled}
        onClick={after(() => acts.hide(ids, !areHidden))}
      />
      {children}
    </SelectionBar>
  );
}
