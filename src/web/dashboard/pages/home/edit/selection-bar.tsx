/** Actions for all selected tiles. */

import homeTexts from 'texts:home';
import { Button, CloseButton, NativeSelect } from '@mantine/core';
import { EyeOff, Star } from 'lucide-react';
import { useTexts } from '../../../texts/texts.ts';
import classes from './edit.module.css';
import type { ThingActs } from './thing-row.tsx';

interface SelectionBarProps {
  readonly ids: readonly string[];
  /** The possible target rooms; none without permission to move. */
  readonly rooms: readonly { readonly id: string; readonly name: string }[];
  readonly acts: ThingActs;
  readonly onClear: () => void;
}

export function SelectionBar({ ids, rooms, acts, onClear }: SelectionBarProps) {
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
      <Button
        variant="default"
        leftSection={<Star size={16} aria-hidden />}
        onClick={after(() => acts.favour(ids, true))}
      >
        {t.favour}
      </Button>
      <Button
        variant="default"
        leftSection={<EyeOff size={16} aria-hidden />}
        onClick={after(() => acts.hide(ids, true))}
      >
        {t.hide}
      </Button>
      <CloseButton size="lg" aria-label={t.clear} onClick={onClear} />
    </section>
  );
}
