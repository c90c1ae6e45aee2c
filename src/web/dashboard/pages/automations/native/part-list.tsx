/** The parts of one kind in the form: a card for each, and a button to add one. */
import { Button, Group, Menu, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Plus } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { NativeDraft } from './native-draft.ts';
import { PartCard } from './part-card.tsx';

interface PartListProps<T> {
  readonly form: UseFormReturnType<NativeDraft>;
  /** The path of the list in the form: `trigger.events`. */
  readonly path: string;
  readonly items: readonly T[];
  readonly sentence: (item: T) => string;
  readonly fields: (item: T, onChange: (item: T) => void) => ReactNode;
  readonly addLabel: string;
  /** A single kind is added at once; with several, the user chooses. */
  readonly kinds: readonly { readonly label: string; make(): T }[];
}

let lastKey = 0;
function freshKey(): number {
  lastKey += 1;
  return lastKey;
}

export function PartList<T>({ form, path, items, sentence, fields, addLabel, kinds }: PartListProps<T>) {
  // Cards keep the state of their fields when a card before them is removed.
  const [keys, setKeys] = useState(() => items.map(freshKey));
  const list = useRef<HTMLDivElement>(null);
  const isAdding = useRef(false);
  useEffect(() => {
    if (!isAdding.current || items.length === 0) return;
    isAdding.current = false;
    list.current?.lastElementChild?.querySelector<HTMLElement>('input, select')?.focus();
  }, [items.length]);
  const add = (make: () => T) => {
    isAdding.current = true;
    setKeys([...keys, freshKey()]);
    form.insertListItem(path, make());
  };
  const remove = (index: number) => {
    setKeys(keys.toSpliced(index, 1));
    form.removeListItem(path, index);
  };
  return (
    <>
      {items.length > 0 && (
        <Stack component="ul" gap={12} className="h-bare" ref={list}>
          {items.map((item, index) => (
            <PartCard
              key={keys[index]}
              sentence={sentence(item)}
              error={form.errors[`${path}.${index}`]}
              onRemove={() => remove(index)}
            >
              {fields(item, (next) => form.setFieldValue(`${path}.${index}`, next))}
            </PartCard>
          ))}
        </Stack>
      )}
      {form.errors[path] && (
        <Text c="var(--h-bad-ink)" role="alert">
          {form.errors[path]}
        </Text>
      )}
      <Group gap={8} align="stretch">
        <AddButton label={addLabel} kinds={kinds} onAdd={add} />
      </Group>
    </>
  );
}

interface AddButtonProps<T> {
  readonly label: string;
  readonly kinds: PartListProps<T>['kinds'];
  readonly onAdd: (make: () => T) => void;
}

function AddButton<T>({ label, kinds, onAdd }: AddButtonProps<T>) {
  const [only] = kinds;
  const icon = <Plus size={18} aria-hidden />;
  if (only && kinds.length === 1) {
    return (
      <Button variant="default" leftSection={icon} onClick={() => onAdd(only.make)}>
        {label}
      </Button>
    );
  }
  return (
    <Menu position="bottom-start" returnFocus={false}>
      <Menu.Target>
        <Button variant="default" leftSection={icon}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {kinds.map((kind) => (
          <Menu.Item key={kind.label} onClick={() => onAdd(kind.make)}>
            {kind.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
