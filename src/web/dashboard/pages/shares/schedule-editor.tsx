/** When a share is open: from and until, weekly times, and the time zone; a text below describes it. */
import sharesTexts from 'texts:shares';
import { Button, Checkbox, CloseButton, Group, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { Hint } from '../../ui/entries.tsx';
import { DAYS, type Day, problemOf, type ShareSchedule, type ShareWindow } from './schedule.ts';
import classes from './schedule-editor.module.css';
import { dayName, scheduleText, windowText } from './schedule-words.ts';

interface ScheduleEditorProps {
  readonly value: ShareSchedule;
  readonly onChange: (schedule: ShareSchedule) => void;
}

/** Office hours as the initial value. */
const NEW_WINDOW: ShareWindow = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '08:00', end: '18:00' };

export function ScheduleEditor({ value, onChange }: ScheduleEditorProps) {
  const { schedule: t } = useTexts(sharesTexts);
  const format = useFormat();
  const problem = problemOf(value);
  const zones = useMemo(() => [...new Set([value.zone, ...Intl.supportedValuesOf('timeZone')])], [value.zone]);
  const setWindow = (index: number, window: ShareWindow) =>
    onChange({ ...value, windows: value.windows.with(index, window) });
  return (
    <Stack className={classes.editor ?? ''}>
      <SimpleGrid minColWidth="min(100%, 200px)" autoFlow="auto-fit" spacing={12}>
        <MomentField
          label={t.startsAt}
          value={value.startsAt}
          onChange={(startsAt) => onChange({ ...value, startsAt })}
        />
        <MomentField
          label={t.expiresAt}
          value={value.expiresAt}
          onChange={(expiresAt) => onChange({ ...value, expiresAt })}
        />
      </SimpleGrid>
      <Stack component="fieldset" gap={12}>
        <legend className={classes.legend}>{t.windows}</legend>
        {value.windows.length === 0 && <Hint>{t.windowsHint}</Hint>}
        {value.windows.map((window, index) => (
          <WindowFields
            key={index}
            window={window}
            onChange={(next) => setWindow(index, next)}
            onRemove={() => onChange({ ...value, windows: value.windows.toSpliced(index, 1) })}
          />
        ))}
        <Group>
          <Button variant="default" onClick={() => onChange({ ...value, windows: [...value.windows, NEW_WINDOW] })}>
            {t.addWindow}
          </Button>
        </Group>
      </Stack>
      <NativeSelect
        label={t.zone}
        value={value.zone}
        data={zones}
        onChange={({ currentTarget }) => onChange({ ...value, zone: currentTarget.value })}
      />
      <p className={classes.words} data-problem={problem} role="status">
        {problem ? t.problems[problem] : scheduleText(value, t, format)}
      </p>
    </Stack>
  );
}

interface MomentFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

function MomentField({ label, value, onChange }: MomentFieldProps) {
  return (
    <TextInput
      type="datetime-local"
      label={label}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  );
}

interface WindowFieldsProps {
  readonly window: ShareWindow;
  readonly onChange: (window: ShareWindow) => void;
  readonly onRemove: () => void;
}

function WindowFields({ window, onChange, onRemove }: WindowFieldsProps) {
  const { schedule: t } = useTexts(sharesTexts);
  const format = useFormat();
  const setDay = (day: Day, isOn: boolean) =>
    onChange({ ...window, days: DAYS.filter((each) => (each === day ? isOn : window.days.includes(each))) });
  return (
    <div className={classes.window}>
      <fieldset className={classes.days} aria-label={t.days}>
        {DAYS.map((day) => (
          <Checkbox
            key={day}
            label={dayName(day, format)}
            aria-label={dayName(day, format, 'long')}
            checked={window.days.includes(day)}
            onChange={({ currentTarget }) => setDay(day, currentTarget.checked)}
          />
        ))}
      </fieldset>
      <div className={classes.times}>
        <TextInput
          type="time"
          label={t.start}
          value={window.start}
          onChange={({ currentTarget }) => onChange({ ...window, start: currentTarget.value })}
        />
        <TextInput
          type="time"
          label={t.end}
          value={window.end}
          onChange={({ currentTarget }) => onChange({ ...window, end: currentTarget.value })}
        />
      </div>
      <CloseButton
        className={classes.remove ?? ''}
        size={44}
        iconSize={20}
        aria-label={t.removeWindow({ text: windowText(window, t, format) })}
        onClick={onRemove}
      />
    </div>
  );
}
