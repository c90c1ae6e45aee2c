/** The parts of one kind in the form: a card for each, and a button to add one. */
import { Button, Group, Menu, Stack, Text } from '@mantine/core';
import { Plus } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { NativeFault, NativeFaults } from './native-check.ts';
import { PartCard } from './part-card.tsx';

interface PartListProps<T> {
  /** The path of the list in errors: `trigger.events`. */
  readonly path: string;
  readonly items: readonly T[];
  readonly onChange: (items: readonly T[]) => void;
  readonly faults: NativeFaults;
  readonly sentence: (item: T) => string;
  readonly fields: (item: T, onChange: (item: T) => void) => ReactNode;
  readonly addLabel: string;
  /** A single kind is added at once; with several, the user chooses. */
  readonly kinds: readonly { readonly label: string; make(): T }[];
  readonly texts: Readonly<Record<NativeFault, string>>;
}

let lastKey = 0;
function freshKey(): number {
  lastKey += 1;
  return lastKey;
}

export function PartList<T>({
  path,
  items,
  onChange,
  faults,
  sentence,
  fields,
  addLabel,
  kinds,
  texts,
}: PartListProps<T>) {
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
    onChange([...items, make()]);
  };
  const remove = (index: number) => {
    setKeys(keys.toSpliced(index, 1));
    onChange(items.toSpliced(index, 1));
  };
  const ownFault = faults[path];
  return (
    <>
      {items.length > 0 && (
        <Stack component="ul" gap={12} className="h-bare" ref={list}>
          {items.map((item, index) => (
            <PartCard
              key={keys[index]}
              sentence={sentence(item)}
              fault={faults[`${path}[${index}]`]}
              onRemove={() => remove(index)}
            >
              {fields(item, (next) => onChange(items.with(index, next)))}
            </PartCard>
          ))}
        </Stack>
      )}
      {ownFault && (
        <Text c="var(--h-bad-ink)" role="alert">
          {texts[ownFault]}
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
