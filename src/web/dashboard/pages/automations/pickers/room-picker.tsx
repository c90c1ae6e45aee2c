import { Select } from '@mantine/core';
import { useHouse } from '../../../house/use-house.ts';
import { useTexts } from '../../../texts/texts.ts';
import { pickerTexts } from './texts/texts.ts';

interface IdPickerProps {
  readonly label?: string | undefined;
  readonly error?: string | undefined;
  readonly value: string | undefined;
  readonly onChange: (id: string) => void;
}

/** A room of the home that is on the screen. */
export function RoomPicker({ label, error, value, onChange }: IdPickerProps) {
  const t = useTexts(pickerTexts);
  const { rooms } = useHouse();
  return (
    <Select
      label={label ?? t.room}
      error={error}
      searchable
      allowDeselect={false}
      nothingFoundMessage={t.noMatch}
      value={value ?? null}
      onChange={(id) => id && onChange(id)}
      data={rooms.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}
