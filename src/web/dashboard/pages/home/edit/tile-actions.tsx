/** Actions for all selected tiles. */

import homeTexts from 'texts:home';
import { Button, NativeSelect } from '@mantine/core';
import { EyeOff, Group as GroupIcon, Star } from 'lucide-react';
import { useTexts } from '../../../texts/texts.ts';
import { SelectionBar } from '../../../ui/selection-bar.tsx';
import type { ThingActs } from './thing-row.tsx';

interface TileActionsProps {
  readonly ids: readonly string[];
  /** The possible target rooms; none without permission to move. */
  readonly rooms: readonly { readonly id: string; readonly name: string }[];
  readonly acts: Pick<ThingActs, 'move' | 'favour' | 'hide'>;
  /** Left out where groups can't be made. */
  readonly onGroup?: {
    readonly run: () => void;
    /** They can't become one group. */
    readonly isDisabled: boolean;
  };
  readonly onClear: () => void;
}

export function TileActions({ ids, rooms, acts, onGroup, onClear }: TileActionsProps) {
  const t = useTexts(homeTexts).edit;
  const after = (act: () => void) => () => {
    act();
    onClear();
  };
  return (
    <SelectionBar label={t.selected({ count: ids.length })} clearLabel={t.clear} onClear={onClear}>
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
        leftSection={<Star size={16} aria-hidden />}
        onClick={after(() => acts.favour(ids, true))}
      >
        {t.favouriteBadge}
      </Button>
      <Button
        variant="default"
        leftSection={<EyeOff size={16} aria-hidden />}
        onClick={after(() => acts.hide(ids, true))}
      >
        {t.hideShort}
      </Button>
    </SelectionBar>
  );
}
