/** Selects what to share: the whole home, a room, an accessory … */

import sharesTexts from 'texts:shares';
import { NativeSelect } from '@mantine/core';
import { ENTITY_TYPES } from '../../../../home/vocabulary/sharing.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import type { Shareable } from './entities.ts';

interface EntityFieldProps {
  readonly shareables: readonly Shareable[];
  readonly value: Shareable | undefined;
  readonly onChange: (shareable: Shareable | undefined) => void;
}

const keyOf = ({ type, id }: Shareable): string => `${type}:${id}`;

export function EntityField({ shareables, value, onChange }: EntityFieldProps) {
  const t = useTexts(sharesTexts);
  const { compare } = useFormat();
  const groups = ENTITY_TYPES.map((type) => ({
    group: t.entities[type],
    items: shareables
      .filter((shareable) => shareable.type === type)
      .sort((a, b) => compare(a.name, b.name))
      .map((shareable) => ({
        value: keyOf(shareable),
        label: shareable.detail === undefined ? shareable.name : `${shareable.name} – ${shareable.detail}`,
      })),
  })).filter(({ items }) => items.length > 0);
  return (
    <NativeSelect
      label={t.form.what}
      data-autofocus
      value={value ? keyOf(value) : ''}
      onChange={({ currentTarget }) => onChange(shareables.find((each) => keyOf(each) === currentTarget.value))}
      data={[{ value: '', label: t.form.choose }, ...groups]}
      required
    />
  );
}
