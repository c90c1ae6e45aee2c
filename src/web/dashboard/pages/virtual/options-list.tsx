/**
 * The modes as a list: rename, move, remove, add. Enter leads to the next one. Rows are keyed by their places: modes
 * have no other identity while they are typed.
 */
import virtualTexts from 'texts:virtual';
import { Button, Group, Input, Stack, TextInput } from '@mantine/core';
import { ChevronDown, ChevronUp, type LucideIcon, Plus, Trash2 } from 'lucide-react';
import { type ComponentProps, useId, useRef, useState } from 'react';
import { useTexts } from '../../texts/texts.ts';
import classes from './virtual.module.css';

interface OptionsListProps {
  /** As typed: also empty ones. */
  readonly options: readonly string[];
  readonly onChange: (options: readonly string[]) => void;
}

export function OptionsList({ options, onChange }: OptionsListProps) {
  const t = useTexts(virtualTexts);
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const [isAdded, setAdded] = useState(false);
  const last = options.length - 1;
  const add = () => {
    setAdded(true);
    onChange([...options, '']);
  };
  const focusIn = (index: number, what: string) =>
    list.current?.children[index]?.querySelector<HTMLElement>(what)?.focus();
  const move = (from: number, to: number) => {
    const moved = options.with(from, options[to] ?? '').with(to, options[from] ?? '');
    onChange(moved);
    // The keyboard goes along; at an end only the other way is left.
    const isUp = to === last || (to < from && to > 0);
    focusIn(to, isUp ? '[data-move="up"]' : '[data-move="down"]');
  };
  const remove = (index: number) => {
    onChange(options.toSpliced(index, 1));
    addButton.current?.focus();
  };
  return (
    <Input.Wrapper
      label={t.options}
      labelElement="div"
      description={t.optionsText}
      labelProps={{ id: `${id}-label` }}
      descriptionProps={{ id: `${id}-text` }}
    >
      <Stack gap={8} mt={8} align="flex-start">
        <ul ref={list} className={classes.options} aria-labelledby={`${id}-label`} aria-describedby={`${id}-text`}>
          {options.map((option, index) => {
            const name = option.trim() || t.mode({ number: index + 1 });
            return (
              <li key={index}>
                <TextInput
                  flex={1}
                  aria-label={t.mode({ number: index + 1 })}
                  value={option}
                  autoFocus={isAdded && index === last}
                  onChange={({ currentTarget }) => onChange(options.with(index, currentTarget.value))}
                  onKeyDown={(event) => {
                    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
                    event.preventDefault();
                    if (index === last) add();
                    else focusIn(index + 1, 'input');
                  }}
                />
                <Group gap={0} wrap="nowrap">
                  <OptionAct
                    move="up"
                    icon={ChevronUp}
                    label={t.moveUp({ name })}
                    disabled={index === 0}
                    onClick={() => move(index, index - 1)}
                  />
                  <OptionAct
                    move="down"
                    icon={ChevronDown}
                    label={t.moveDown({ name })}
                    disabled={index === last}
                    onClick={() => move(index, index + 1)}
                  />
                  <OptionAct icon={Trash2} label={t.removeMode({ name })} onClick={() => remove(index)} />
                </Group>
              </li>
            );
          })}
        </ul>
        <Button ref={addButton} variant="default" leftSection={<Plus size={18} aria-hidden />} onClick={add}>
          {t.addMode}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}

interface OptionActProps extends Pick<ComponentProps<'button'>, 'disabled' | 'onClick'> {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly move?: 'up' | 'down';
}

function OptionAct({ icon: Icon, label, move, ...button }: OptionActProps) {
  return (
    <button type="button" className={classes.icon} aria-label={label} title={label} data-move={move} {...button}>
      <Icon aria-hidden />
    </button>
  );
}
