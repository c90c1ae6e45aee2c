/**
 * Virtual accessories, each by its kind: numbers and counters, modes, texts, dates and times. Timers are in
 * `timer-panel.tsx`.
 */
import { Button, Group, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { RotateCcw } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { present } from '../../api/graphql.ts';
import { writer } from '../../home/write.ts';
import { Acts } from '../controls/acts.tsx';
import { Choice } from '../controls/choice.tsx';
import { LessMore } from '../controls/less-more.tsx';
import { ValueSlider } from '../controls/value-slider.tsx';
import { numberText } from '../kinds/virtual.ts';
import { operateVirtual } from '../operate.ts';
import { characteristicOf, numberOf, rangeOf, textOf, writeOf } from '../reading.ts';
import { type PanelProps, usePanelWords } from './panel.ts';
import classes from './virtual-panels.module.css';

const PERCENT_STEPS = 200;
/** More options than this become a list. */
const MAX_BUTTONS = 5;

export function NumberPanel({ accessory, service, isDisabled }: PanelProps) {
  const { t, format } = usePanelWords();
  const characteristic = characteristicOf(service, 'virtual_number');
  if (!characteristic) return null;
  const { value, unit, canWrite } = characteristic;
  const range = rangeOf(characteristic, { min: 0, max: 100, step: 1 });
  const text = (number: number) => numberText(number, characteristic.minStep, unit, format);
  const number = typeof value === 'number' ? value : undefined;
  const set = (next: number) => writer.set(...writeOf(accessory, service, 'virtual_number', next));
  const isOut = isDisabled || !canWrite;
  if (accessory.virtualControl === 'field') {
    return (
      <NumberInput
        label={t.value}
        value={number ?? ''}
        {...range}
        {...(unit && { suffix: ` ${unit}` })}
        disabled={isOut}
        clampBehavior="blur"
        onChange={(next) => typeof next === 'number' && next >= range.min && next <= range.max && set(next)}
      />
    );
  }
  const isFine = (range.max - range.min) / range.step > PERCENT_STEPS;
  return (
    <>
      <Stepper text={number === undefined ? '–' : text(number)} accessory={accessory} isDisabled={isOut} />
      {!isFine && (
        <ValueSlider label={t.value} value={number} range={range} text={text} isDisabled={isOut} onChange={set} />
      )}
    </>
  );
}

export function CounterPanel({ accessory, service, isDisabled }: PanelProps) {
  const { t, format } = usePanelWords();
  const count = numberOf(service, 'virtual_count');
  const isOut = isDisabled || !characteristicOf(service, 'virtual_count')?.canWrite;
  return (
    <>
      <Stepper text={count === undefined ? '–' : format.number(count)} accessory={accessory} isDisabled={isOut} />
      <Acts
        isDisabled={isOut}
        acts={[
          {
            label: t.virtual.reset,
            icon: <RotateCcw aria-hidden size={18} />,
            run: () => void operateVirtual(accessory.id, 'reset'),
          },
        ]}
      />
    </>
  );
}

interface StepperProps extends Omit<PanelProps, 'service'> {
  readonly text: string;
}

/** The accessory's own step is the increment. */
function Stepper({ text, accessory, isDisabled }: StepperProps) {
  const { t } = usePanelWords();
  const operate = (operation: string) => () => void operateVirtual(accessory.id, operation);
  return (
    <LessMore
      less={{ label: t.virtual.less({ name: accessory.name }), isDisabled, run: operate('decrement') }}
      more={{ label: t.virtual.more({ name: accessory.name }), isDisabled, run: operate('increment') }}
    >
      <output className={classes.number} aria-live="polite">
        {text}
      </output>
    </LessMore>
  );
}

export function ModePanel({ accessory, service, isDisabled }: PanelProps) {
  const { t } = usePanelWords();
  const characteristic = characteristicOf(service, 'virtual_mode');
  const options = present(accessory.virtualOptions ?? characteristic?.validValues);
  const value = textOf(service, 'virtual_mode');
  const set = (option: string) => writer.set(...writeOf(accessory, service, 'virtual_mode', option));
  const isOut = isDisabled || !characteristic?.canWrite;
  if (options.length > MAX_BUTTONS) {
    return (
      <NativeSelect
        label={t.mode}
        data={[...options]}
        value={value ?? ''}
        disabled={isOut}
        onChange={({ currentTarget }) => set(currentTarget.value)}
      />
    );
  }
  return (
    <Choice
      label={t.mode}
      options={options.map((option) => ({ value: option, label: option }))}
      value={value}
      isDisabled={isOut}
      onChange={set}
    />
  );
}

/** Saved on submit; live updates do not replace the text during typing. */
export function TextPanel({ accessory, service, isDisabled }: PanelProps) {
  const { t } = usePanelWords();
  const value = textOf(service, 'virtual_text') ?? '';
  const isOut = isDisabled || !characteristicOf(service, 'virtual_text')?.canWrite;
  return (
    <Entry
      label={t.virtual.text}
      value={value}
      type="text"
      isDisabled={isOut}
      onSave={(text) => writer.set(...writeOf(accessory, service, 'virtual_text', text))}
    />
  );
}

/** The home's local time, without a time zone: the browser's inputs use the same format. */
export function MomentPanel({ accessory, service, isDisabled }: PanelProps) {
  const { t } = usePanelWords();
  const { virtualHasDate, virtualHasTime } = accessory;
  const value = textOf(service, 'virtual_datetime') ?? '';
  const isOut = isDisabled || !characteristicOf(service, 'virtual_datetime')?.canWrite;
  const type = virtualHasDate === false ? 'time' : virtualHasTime === false ? 'date' : 'datetime-local';
  const label = type === 'time' ? t.virtual.time : type === 'date' ? t.virtual.date : t.virtual.dateTime;
  return (
    <Entry
      label={label}
      value={value}
      type={type}
      isDisabled={isOut}
      onSave={(text) => writer.set(...writeOf(accessory, service, 'virtual_datetime', text))}
    />
  );
}

interface EntryProps {
  readonly label: string;
  readonly value: string;
  readonly type: 'text' | 'time' | 'date' | 'datetime-local';
  readonly isDisabled: boolean;
  readonly onSave: (text: string) => void;
}

function Entry({ label, value, type, isDisabled, onSave }: EntryProps) {
  const { t } = usePanelWords();
  const [draft, setDraft] = useState<string>();
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (draft !== undefined) onSave(draft);
    setDraft(undefined);
  };
  const isChanged = draft !== undefined && draft !== value && (type === 'text' || draft !== '');
  return (
    <Group component="form" gap={12} align="flex-end" onSubmit={save}>
      <TextInput
        label={label}
        type={type}
        value={draft ?? value}
        disabled={isDisabled}
        className={classes.field ?? ''}
        onChange={({ currentTarget }) => setDraft(currentTarget.value)}
      />
      <Button type="submit" disabled={isDisabled || !isChanged}>
        {t.virtual.set}
      </Button>
    </Group>
  );
}
