/** Times of day, days, durations and dates. */
import { Button, NativeSelect, NumberInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useHomeZone } from '../../../../home/home-zone.ts';
import { DurationInput } from '../../../../pickers/duration-input.tsx';
import { TimeOfDayInput } from '../../../../pickers/time-of-day-input.tsx';
import { WeekdaysInput } from '../../../../pickers/weekdays-input.tsx';
import { useFormat } from '../../../../texts/format.ts';
import { momentOf, wallText } from '../../../../texts/wall-time.ts';
import { durationMs, durationOf } from '../../flow/durations.ts';
import { isList, isObject, textOf, withFields } from '../../flow/flow-record.ts';
import { weekdayName } from '../../flow/sentence-context.ts';
import classes from '../editor.module.css';
import { useEditor } from '../editor-context.tsx';
import type { FieldProps } from './field-props.ts';
import { JsonField } from './text-fields.tsx';

const FIRST_SPAN = { minutes: 5 } as const;
const FIRST_OFFSET_MS = 30 * 60_000;

export function TimeField({ field, node, label, error, set }: FieldProps) {
  const change = (value: string) => set(value === '' ? undefined : value);
  return <TimeOfDayInput label={label} error={error} value={textOf(node, field.name)} onChange={change} />;
}

export function WeekdaysField({ field, node, label, error, set }: FieldProps) {
  const value = node[field.name];
  const days = isList(value) ? value.filter((day): day is number => typeof day === 'number') : [];
  const change = (next: readonly number[]) => set(next.length === 0 ? undefined : next);
  return <WeekdaysInput label={label} error={error} value={days} onChange={change} sunday={0} />;
}

export function DurationField({ field, node, label, error, set }: FieldProps) {
  const { texts } = useEditor();
  const value = node[field.name];
  const ms = durationMs(value);
  if (value === undefined) {
    return (
      <div className={classes.unset}>
        <span>
          {label}: {texts.choices.none}
        </span>
        <button type="button" className={classes.link} onClick={() => set(FIRST_SPAN)}>
          {texts.inputs.setDuration}
        </button>
      </div>
    );
  }
  // A template computes the value: shown as it is.
  if (ms === undefined) return <JsonField {...{ field, node, label, error, set }} shape="any" />;
  return (
    <Stack gap={6} miw={0}>
      <DurationInput label={label} error={error} valueMs={ms} onChange={(next) => set(durationOf(next))} />
      {!field.isRequired && (
        <button type="button" className={classes.link} onClick={() => set(undefined)}>
          {texts.inputs.clear}
        </button>
      )}
    </Stack>
  );
}

/** Before, exactly then, or after. */
export function OffsetField({ field, node, label, error, set }: FieldProps) {
  const { texts } = useEditor();
  const ms = durationMs(node[field.name]) ?? 0;
  const side = ms === 0 ? 'none' : ms < 0 ? 'before' : 'after';
  const choose = (next: string) => {
    if (next === 'none') set(undefined);
    else set(durationOf((next === 'before' ? -1 : 1) * (Math.abs(ms) || FIRST_OFFSET_MS)));
  };
  return (
    <SimpleGrid minColWidth="min(100%, 160px)" autoFlow="auto-fit" spacing={12} style={{ alignItems: 'end' }}>
      <NativeSelect
        label={label}
        error={error}
        value={side}
        data={Object.entries(texts.choices.offset).map(([value, text]) => ({ value, label: text }))}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      {side !== 'none' && (
        <DurationInput
          label={texts.inputs.amount}
          valueMs={Math.abs(ms)}
          onChange={(next) => set(durationOf(side === 'before' ? -next : next))}
        />
      )}
    </SimpleGrid>
  );
}

type PatternUnit = 'seconds' | 'minutes' | 'hours';
const PATTERN_UNITS: readonly PatternUnit[] = ['minutes', 'hours', 'seconds'];

/** Every so many minutes or hours; every other clock pattern as a custom one. */
export function PatternField({ node, error, setNode }: FieldProps) {
  const { texts } = useEditor();
  const given = PATTERN_UNITS.filter((unit) => node[unit] !== undefined);
  const [only] = given;
  const count =
    only && given.length === 1 ? Number(/^\/(\d+)$/.exec(textOf(node, only))?.[1] ?? Number.NaN) : Number.NaN;
  const [isOwn, setOwn] = useState(given.length > 0 && Number.isNaN(count));
  const write = (parts: Partial<Record<PatternUnit, string | undefined>>) =>
    setNode(withFields(node, { hours: undefined, minutes: undefined, seconds: undefined, ...parts }));
  const unit = isOwn ? 'own' : (only ?? 'minutes');
  return (
    <Stack gap={6} miw={0}>
      <SimpleGrid minColWidth="min(100%, 160px)" autoFlow="auto-fit" spacing={12} style={{ alignItems: 'end' }}>
        {!isOwn && (
          <NumberInput
            label={texts.inputs.every}
            error={error}
            value={Number.isNaN(count) ? '' : count}
            min={1}
            max={unit === 'hours' ? 23 : 59}
            onChange={(next) => typeof next === 'number' && write({ [unit]: `/${next}` })}
          />
        )}
        <NativeSelect
          label={texts.inputs.unit}
          value={unit}
          data={Object.entries(texts.choices.pattern).map(([value, label]) => ({ value, label }))}
          onChange={({ currentTarget }) => {
            setOwn(currentTarget.value === 'own');
            if (currentTarget.value !== 'own') write({ [currentTarget.value]: `/${Number.isNaN(count) ? 5 : count}` });
          }}
        />
      </SimpleGrid>
      {isOwn && (
        <SimpleGrid minColWidth="min(100%, 160px)" autoFlow="auto-fit" spacing={12} style={{ alignItems: 'end' }}>
          {(['hours', 'minutes', 'seconds'] as const).map((part) => (
            <TextInput
              key={part}
              label={texts.inputs[part]}
              value={String(node[part] ?? '')}
              error={part === 'minutes' ? error : undefined}
              onChange={({ currentTarget }) =>
                setNode(withFields(node, { [part]: currentTarget.value.trim() || undefined }))
              }
            />
          ))}
        </SimpleGrid>
      )}
    </Stack>
  );
}

/** One moment in the home's local time; stored with its zone. */
export function MomentField({ field, node, label, error, set }: FieldProps) {
  const zone = useHomeZone();
  const ms = Date.parse(textOf(node, field.name));
  const change = (text: string) => set(momentOf(text, zone) || undefined);
  return (
    <TextInput
      type="datetime-local"
      label={label}
      error={error}
      value={Number.isNaN(ms) ? '' : wallText(ms, zone)}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}

const DATE_PARTS = [
  ['month', 1, 12],
  ['day', 1, 31],
  ['hour', 0, 23],
  ['minute', 0, 59],
] as const;
const DAYS_OF_WEEK = [2, 3, 4, 5, 6, 7, 1];

/** Parts of a date; a missing part matches any. Weekdays count from 1, which is Sunday. */
export function DatePartsField({ field, node, label, error, set }: FieldProps) {
  const { texts } = useEditor();
  const format = useFormat();
  const value = node[field.name];
  const parts = isObject(value) ? value : {};
  const write = (part: string, next: number | undefined) => {
    const rest = withFields(parts, { [part]: next });
    set(Object.keys(rest).length === 0 ? undefined : rest);
  };
  return (
    <fieldset className={classes.fieldset}>
      <legend>{label}</legend>
      <SimpleGrid minColWidth="min(100%, 160px)" autoFlow="auto-fit" spacing={12} style={{ alignItems: 'end' }}>
        {DATE_PARTS.map(([part, min, max]) => (
          <NumberInput
            key={part}
            label={texts.inputs[part]}
            value={typeof parts[part] === 'number' ? parts[part] : ''}
            {...{ min, max }}
            placeholder={texts.choices.unset}
            onChange={(next) => write(part, typeof next === 'number' ? next : undefined)}
          />
        ))}
        <NativeSelect
          label={texts.inputs.weekday}
          value={String(parts.weekday ?? '')}
          data={[
            { value: '', label: texts.choices.unset },
            ...DAYS_OF_WEEK.map((day) => ({ value: String(day), label: weekdayName(day - 1, format) })),
          ]}
          onChange={({ currentTarget }) =>
            write('weekday', currentTarget.value === '' ? undefined : Number(currentTarget.value))
          }
        />
      </SimpleGrid>
      {error && (
        <Text c="var(--h-bad-ink)" className="h-anywhere">
          {error}
        </Text>
      )}
      {value !== undefined && !field.isRequired && (
        <Button variant="subtle" onClick={() => set(undefined)}>
          {texts.inputs.clear}
        </Button>
      )}
    </fieldset>
  );
}
