/** The fields of one event, by its kind. */
import nativeTexts from 'texts:native-automations';
import { NativeSelect, NumberInput, SimpleGrid, Switch } from '@mantine/core';
import { useHome } from '../../../home/use-home.ts';
import { AccessoryPropertyPicker } from '../../../pickers/accessory-property-picker.tsx';
import { ChangeInput, UNCHOSEN } from '../../../pickers/change-input.tsx';
import { DurationInput } from '../../../pickers/duration-input.tsx';
import { PeoplePicker } from '../../../pickers/people-picker.tsx';
import { choicesOf, findProperty, isChoice, isNumeric, type Property } from '../../../pickers/property.ts';
import { ValueInput } from '../../../pickers/value-input.tsx';
import { useTexts } from '../../../texts/texts.ts';
import { CalendarFields } from './calendar-fields.tsx';
import type { NativeEvent } from './native-draft.ts';

interface FieldsProps<E extends NativeEvent> {
  readonly event: E;
  readonly onChange: (event: NativeEvent) => void;
}
type Of<Type extends NativeEvent['type']> = Extract<NativeEvent, { type: Type }>;

/** A day at most (`native/parse-events.ts`). */
const MAX_DURATION_MS = 86_400_000;
const FURTHEST_MINUTES = 720;
const SOME_MINUTES = 30;
const WIDEST_M = 1_000_000;

export function EventFields({ event, onChange }: FieldsProps<NativeEvent>) {
  switch (event.type) {
    case 'characteristic':
      return <CharacteristicFields event={event} onChange={onChange} />;
    case 'significantTime':
      return <SunFields event={event} onChange={onChange} />;
    case 'calendar':
      return (
        <CalendarFields
          parts={event.calendarComponents}
          onChange={(calendarComponents) => onChange({ ...event, calendarComponents })}
        />
      );
    case 'duration':
      return (
        <DurationInput
          valueMs={event.durationSeconds * 1000}
          maxMs={MAX_DURATION_MS}
          onChange={(ms) => onChange({ ...event, durationSeconds: Math.round(ms / 1000) })}
        />
      );
    case 'presence':
      return <PresenceFields event={event} onChange={onChange} />;
    case 'location':
      return <LocationFields event={event} onChange={onChange} />;
  }
}

/** Whether a property can trigger an automation. */
export function isWatchable({ characteristic }: Property): boolean {
  return characteristic.canRead || characteristic.type === 'programmable_switch_event';
}

/** The most common value, as the initial one of a new event. */
export function firstValueOf(property: Property | undefined): unknown {
  if (!property || !isChoice(property)) return undefined;
  const choices = choicesOf(property);
  const { type } = property.characteristic;
  if (type.endsWith('_detected') || type === 'contact_state' || type === 'active') return choices.at(-1);
  return choices[0];
}

type ChangeKind = 'any' | 'to' | 'above' | 'below' | 'between';

function changeOf({ triggerValue, thresholdMin, thresholdMax }: Of<'characteristic'>): ChangeKind {
  if (thresholdMin !== undefined) return thresholdMax !== undefined ? 'between' : 'above';
  if (thresholdMax !== undefined) return 'below';
  return triggerValue === undefined ? 'any' : 'to';
}

function CharacteristicFields({ event, onChange }: FieldsProps<Of<'characteristic'>>) {
  const t = useTexts(nativeTexts);
  const inventory = useHome();
  const property = findProperty(inventory, event);
  const change = changeOf(event);
  const current = property?.characteristic.value;
  const middle = typeof current === 'number' ? current : 0;
  const { accessoryId, characteristicType, accessoryName, type } = event;
  const base = { type, accessoryId, characteristicType, accessoryName } as const;
  const choose = (next: ChangeKind) => {
    const made = {
      any: base,
      to: { ...base, triggerValue: middle },
      above: { ...base, thresholdMin: event.thresholdMin ?? middle },
      below: { ...base, thresholdMax: event.thresholdMax ?? middle },
      between: { ...base, thresholdMin: event.thresholdMin ?? middle, thresholdMax: event.thresholdMax ?? middle },
    } satisfies Record<ChangeKind, NativeEvent>;
    onChange(made[next]);
  };
  const offered: readonly ChangeKind[] =
    property && isNumeric(property) ? ['above', 'below', 'between', 'to', 'any'] : ['to', 'any'];
  const isChosen = property !== undefined && isChoice(property) && (change === 'any' || change === 'to');
  return (
    <>
      <AccessoryPropertyPicker
        value={accessoryId ? event : undefined}
        filter={isWatchable}
        onChange={(ref) => {
          const next = findProperty(inventory, ref);
          const numeric = next && isNumeric(next);
          const value = next?.characteristic.value;
          onChange({
            type: 'characteristic',
            ...ref,
            ...(numeric
              ? { thresholdMin: typeof value === 'number' ? value : 0 }
              : { triggerValue: next && isChoice(next) ? UNCHOSEN : undefined }),
          });
        }}
      />
      {property && isChosen && (
        <ChangeInput
          label={t.change}
          target={event}
          property={property}
          value={event.triggerValue}
          onChange={(triggerValue) => onChange({ ...base, ...(triggerValue !== undefined && { triggerValue }) })}
        />
      )}
      {property && !isChosen && (
        <SimpleGrid minColWidth="min(100%, 180px)" autoFlow="auto-fit" spacing={12} style={{ alignItems: 'start' }}>
          <NativeSelect
            label={t.change}
            value={change}
            onChange={({ currentTarget }) => choose(offered.find((one) => one === currentTarget.value) ?? 'any')}
            data={offered.map((one) => ({ value: one, label: t.changes[one] }))}
          />
          {change === 'to' && (
            <ValueInput
              property={property}
              value={event.triggerValue}
              onChange={(triggerValue) => onChange({ ...event, triggerValue })}
            />
          )}
          {(change === 'above' || change === 'between') && (
            <ValueInput
              property={property}
              label={change === 'between' ? t.from : undefined}
              value={event.thresholdMin}
              onChange={(value) => typeof value === 'number' && onChange({ ...event, thresholdMin: value })}
            />
          )}
          {(change === 'below' || change === 'between') && (
            <ValueInput
              property={property}
              label={change === 'between' ? t.to : undefined}
              value={event.thresholdMax}
              onChange={(value) => typeof value === 'number' && onChange({ ...event, thresholdMax: value })}
            />
          )}
        </SimpleGrid>
      )}
    </>
  );
}

function SunFields({ event, onChange }: FieldsProps<Of<'significantTime'>>) {
  const t = useTexts(nativeTexts);
  const { offsetMinutes } = event;
  const side = offsetMinutes === 0 ? 'exactly' : offsetMinutes < 0 ? 'before' : 'after';
  const minutes = Math.abs(offsetMinutes) || SOME_MINUTES;
  const signs = { exactly: 0, before: -1, after: 1 } as const;
  return (
    <SimpleGrid minColWidth="min(100%, 180px)" autoFlow="auto-fit" spacing={12} style={{ alignItems: 'start' }}>
      <NativeSelect
        label={t.sun}
        value={event.significantEvent}
        onChange={({ currentTarget }) => onChange({ ...event, significantEvent: currentTarget.value })}
        data={[
          { value: 'sunrise', label: t.sunrise },
          { value: 'sunset', label: t.sunset },
        ]}
      />
      <NativeSelect
        label={t.offsetWhen}
        value={side}
        onChange={({ currentTarget }) =>
          onChange({ ...event, offsetMinutes: minutes * (signs[currentTarget.value as typeof side] ?? 0) })
        }
        data={(['exactly', 'before', 'after'] as const).map((one) => ({ value: one, label: t[one] }))}
      />
      {side !== 'exactly' && (
        <NumberInput
          label={t.offset}
          value={minutes}
          min={1}
          max={FURTHEST_MINUTES}
          allowDecimal={false}
          onChange={(next) => typeof next === 'number' && onChange({ ...event, offsetMinutes: next * signs[side] })}
        />
      )}
    </SimpleGrid>
  );
}

function PresenceFields({ event, onChange }: FieldsProps<Of<'presence'>>) {
  const t = useTexts(nativeTexts);
  const isOfOne = event.presenceEvent === 'atHome' || event.presenceEvent === 'notAtHome';
  return (
    <>
      <NativeSelect
        label={t.presence}
        value={event.presenceEvent}
        onChange={({ currentTarget }) => onChange({ ...event, presenceEvent: currentTarget.value })}
        data={(['firstArrival', 'lastDeparture', 'atHome', 'notAtHome'] as const).map((one) => ({
          value: one,
          label: t.presenceEvents[one],
        }))}
      />
      {(isOfOne || event.personIds.length > 0) && (
        <PeoplePicker value={event.personIds} onChange={(personIds) => onChange({ ...event, ...whoOf(personIds) })} />
      )}
    </>
  );
}

/** An empty list means everyone. */
export function whoOf(personIds: readonly string[]) {
  return { presenceType: personIds.length > 0 ? 'customUsers' : 'allUsers', personIds } as const;
}

function LocationFields({ event, onChange }: FieldsProps<Of<'location'>>) {
  const t = useTexts(nativeTexts);
  const number = (field: 'latitude' | 'longitude' | 'radius', min: number, max: number) => (
    <NumberInput
      label={t[field]}
      value={event[field]}
      min={min}
      max={max}
      onChange={(next) => typeof next === 'number' && onChange({ ...event, [field]: next })}
    />
  );
  return (
    <>
      <SimpleGrid minColWidth="min(100%, 180px)" autoFlow="auto-fit" spacing={12} style={{ alignItems: 'start' }}>
        {number('latitude', -90, 90)}
        {number('longitude', -180, 180)}
        {number('radius', 1, WIDEST_M)}
      </SimpleGrid>
      <Switch
        label={t.enters}
        checked={event.notifyOnEntry}
        onChange={({ currentTarget }) => onChange({ ...event, notifyOnEntry: currentTarget.checked })}
      />
      <Switch
        label={t.leaves}
        checked={event.notifyOnExit}
        onChange={({ currentTarget }) => onChange({ ...event, notifyOnExit: currentTarget.checked })}
      />
    </>
  );
}
