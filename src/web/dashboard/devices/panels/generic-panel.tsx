/**
 * For services without a panel of their own: every characteristic by name, each writable one with a control for its
 * format.
 */
import { NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { HomeCharacteristic } from '../../home/home-document.ts';
import { writer } from '../../home/write.ts';
import { type PickerTexts, wordOf } from '../../pickers/property-words.ts';
import { Readings } from '../controls/readings.tsx';
import { ToggleRow } from '../controls/toggle-row.tsx';
import { ValueSlider } from '../controls/value-slider.tsx';
import { choicesOf, toggleOf, writeOf } from '../reading.ts';
import { characteristicLabel, characteristicText, unitSuffix } from './characteristic-text.ts';
import { type PanelProps, usePanelWords } from './panel.ts';

/** Values that people can't read, or that are shown elsewhere. */
const BINARY: ReadonlySet<string | null> = new Set(['tlv8', 'data', 'unknown']);
const SKIPPED: ReadonlySet<string> = new Set(['name', 'configured_name', 'identify', 'label_index', 'identifier']);
/** A slider with more steps can't select a single one. */
const MAX_SLIDER_STEPS = 400;

export function GenericPanel(props: PanelProps) {
  const { words } = usePanelWords();
  const shown = props.service.characteristics.filter(
    ({ type, format: kind }) => !SKIPPED.has(type) && !BINARY.has(kind),
  );
  const readOnly = shown.filter(({ canWrite, canRead }) => canRead && !canWrite);
  return (
    <>
      {shown
        .filter(({ canWrite, canRead }) => canWrite && canRead)
        .map((characteristic) => (
          <GenericControl key={characteristic.id} characteristic={characteristic} {...props} />
        ))}
      <Readings
        readings={readOnly.map((characteristic) => ({
          label: characteristicLabel(characteristic.type, words.texts),
          value: characteristicText(characteristic, words),
        }))}
      />
    </>
  );
}

interface ControlProps extends PanelProps {
  readonly characteristic: HomeCharacteristic;
}

export function GenericControl({ accessory, service, isDisabled, characteristic }: ControlProps) {
  const { words } = usePanelWords();
  const { type, value, minValue, maxValue, minStep } = characteristic;
  const label = characteristicLabel(type, words.texts);
  const set = (next: unknown) => writer.set(...writeOf(accessory, service, type, next));
  const toggle = { label, isDisabled, ...toggleOf(accessory, service, type) };
  if (characteristic.format === 'bool') return <ToggleRow {...toggle} onChange={set} />;
  if (isYesOrNo(characteristic, words.texts)) {
    return <ToggleRow {...toggle} onChange={(on) => set(Number(on))} />;
  }
  const choices = choicesOf(characteristic);
  if (choices) {
    return (
      <NativeSelect
        label={label}
        value={String(value ?? '')}
        disabled={isDisabled}
        data={choices.map((choice) => ({
          value: String(choice),
          label: characteristicText({ ...characteristic, value: choice }, words) ?? String(choice),
        }))}
        onChange={({ currentTarget }) => set(Number(currentTarget.value))}
      />
    );
  }
  if (characteristic.format === 'string') return <TextControl {...{ label, value, isDisabled, set }} />;
  const step = minStep ?? 1;
  if (minValue !== null && maxValue !== null && (maxValue - minValue) / step <= MAX_SLIDER_STEPS) {
    return (
      <ValueSlider
        label={label}
        value={typeof value === 'number' ? value : undefined}
        range={{ min: minValue, max: maxValue, step }}
        text={(next) => characteristicText({ ...characteristic, value: next }, words) ?? String(next)}
        isDisabled={isDisabled}
        onChange={set}
      />
    );
  }
  return (
    <NumberInput
      label={label}
      value={typeof value === 'number' ? value : ''}
      min={minValue ?? -Infinity}
      max={maxValue ?? Infinity}
      step={step}
      suffix={unitSuffix(characteristic)}
      disabled={isDisabled}
      onChange={(next) => typeof next === 'number' && set(next)}
    />
  );
}

/** HAP has many flags as numbers from 0 to 1; some of them have named values. */
function isYesOrNo({ type, format, minValue, maxValue, validValues }: HomeCharacteristic, texts: PickerTexts): boolean {
  const word = wordOf(type, 1, texts);
  if ((word !== undefined && word !== texts.on) || format === 'float' || format === 'string') return false;
  if (minValue === 0 && maxValue === 1) return true;
  return validValues?.length === 2 && validValues.every((each) => Number(each) === 0 || Number(each) === 1);
}

interface TextProps {
  readonly label: string;
  readonly value: unknown;
  readonly isDisabled: boolean;
  readonly set: (text: string) => void;
}

/** Sent on blur or with Enter, not with every letter. */
function TextControl({ label, value, isDisabled, set }: TextProps) {
  const [draft, setDraft] = useState<string>();
  const send = () => {
    if (draft !== undefined && draft !== value) set(draft);
    setDraft(undefined);
  };
  return (
    <TextInput
      label={label}
      value={draft ?? String(value ?? '')}
      disabled={isDisabled}
      onChange={({ currentTarget }) => setDraft(currentTarget.value)}
      onBlur={send}
      onKeyDown={({ key }) => key === 'Enter' && send()}
    />
  );
}
