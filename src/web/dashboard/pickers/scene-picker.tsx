import pickerTexts from 'texts:pickers';
import { Select } from '@mantine/core';
import { useHome } from '../home/use-home.ts';
import { useTexts } from '../texts/texts.ts';

interface IdPickerProps {
  readonly label?: string | undefined;
  readonly error?: string | undefined;
  readonly value: string | undefined;
  readonly onChange: (id: string) => void;
}

/** Selects a scene of the displayed home. */
export function ScenePicker({ label, error, value, onChange }: IdPickerProps) {
  const t = useTexts(pickerTexts);
  const { scenes } = useHome();
  return (
    <Select
      label={label ?? t.scene}
      error={error}
      searchable
      allowDeselect={false}
      nothingFoundMessage={t.noMatch}
      value={value ?? null}
      onChange={(id) => id && onChange(id)}
      data={scenes.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}
