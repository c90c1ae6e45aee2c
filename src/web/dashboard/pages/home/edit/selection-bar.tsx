/** Actions for all selected tiles. */

import homeTexts from 'texts:home';
import { Button, CloseButton, NativeSelect } from '@mantine/core';
import { EyeOff, Group as GroupIcon, Star } from 'lucide-react';
import { useTexts } from '../../../texts/texts.ts';
import classes from './edit.module.css';
import type { ThingActs } from './thing-row.tsx';

interface SelectionBarProps {
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

export function SelectionBar({ ids, rooms, acts, onGroup, onClear }: SelectionBarProps) {
  const t = useTexts(homeTexts).edit;
  const after = (act: () => void) => () => {
    act();
    onClear();
  };
  return (
    <section className={classes.bar} aria-label={t.selected({ count: ids.length })}>
      <strong role="status">{t.selected({ count: ids.length })}</strong>
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
      <CloseButton size="lg" aria-label={t.clear} onClick={onClear} />
    </section>
  );
}
