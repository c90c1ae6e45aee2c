/** The date of a timer, and the interval after which it fires again. In this device's local time. */
import nativeTexts from 'texts:native-automations';
import { NativeSelect, SimpleGrid, Switch, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTexts } from '../../../texts/texts.ts';
import type { NativeDraft, TimerTrigger } from './native-draft.ts';
import { RECURRENCES, recurrenceKind } from './native-words.ts';

const KINDS = ['once', 'hourly', 'daily', 'weekly', 'monthly'] as const;

interface TimerFieldsProps {
  readonly trigger: TimerTrigger;
  readonly form: UseFormReturnType<NativeDraft>;
}

export function TimerFields({ trigger, form }: TimerFieldsProps) {
  const t = useTexts(nativeTexts);
  const { recurrence, timeZone } = trigger;
  const kind = recurrenceKind(recurrence);
  return (
    <>
      <SimpleGrid minColWidth="min(100%, 180px)" autoFlow="auto-fit" spacing={12} style={{ alignItems: 'start' }}>
        <TextInput
          type="datetime-local"
          label={t.date}
          error={form.errors['trigger.fireDate']}
          value={localText(trigger.fireDate)}
          onChange={({ currentTarget }) => form.setFieldValue('trigger.fireDate', isoText(currentTarget.value))}
        />
        <NativeSelect
          label={t.every}
          value={kind}
          description={timeZone ? t.zone({ zone: timeZone }) : undefined}
          onChange={({ currentTarget }) => {
            const next = KINDS.find((one) => one === currentTarget.value) ?? 'once';
            form.setFieldValue('trigger.recurrence', next === 'once' ? undefined : RECURRENCES[next]);
          }}
          data={[
            ...KINDS.map((one) => ({ value: one, label: t.recurrences[one] })),
            ...(kind === 'other'
              ? [{ value: kind, label: t.recurrences.other({ text: JSON.stringify(recurrence) }) }]
              : []),
          ]}
        />
      </SimpleGrid>
      {recurrence && <Switch label={t.once} {...form.getInputProps('trigger.executeOnce', { type: 'checkbox' })} />}
    </>
  );
}

const MINUTE_MS = 60_000;
const MINUTES_LENGTH = 'YYYY-MM-DDTHH:MM'.length;

/** The format of the browser's date field: this device's local time, without a zone. */
export function localText(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, MINUTES_LENGTH);
}

export function isoText(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
}
