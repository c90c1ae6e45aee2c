/** The fields of one condition, by its kind. */
import nativeTexts from 'texts:native-automations';
import { NativeSelect, SimpleGrid } from '@mantine/core';
import { useHome } from '../../../home/use-home.ts';
import { AccessoryPropertyPicker } from '../../../pickers/accessory-property-picker.tsx';
import { PeoplePicker } from '../../../pickers/people-picker.tsx';
import { findProperty, isNumeric } from '../../../pickers/property.ts';
import { TimeOfDayInput } from '../../../pickers/time-of-day-input.tsx';
import { ValueInput } from '../../../pickers/value-input.tsx';
import { useTexts } from '../../../texts/texts.ts';
import { firstValueOf, whoOf } from './event-fields.tsx';
import type { NativeCondition } from './native-draft.ts';
import { type DayPart, dayPartOf } from './native-words.ts';

interface FieldsProps<C extends NativeCondition> {
  readonly condition: C;
  readonly onChange: (condition: NativeCondition) => void;
}
type Of<Type extends NativeCondition['type']> = Extract<NativeCondition, { type: Type }>;

const ORDERED = [
  'equalTo',
  'notEqualTo',
  'lessThan',
  'greaterThan',
  'lessThanOrEqualTo',
  'greaterThanOrEqualTo',
] as const;
const UNORDERED = ['equalTo', 'notEqualTo'] as const;

const DAY_PARTS = {
  isDay: { afterEvent: 'sunrise', beforeEvent: 'sunset' },
  isNight: { afterEvent: 'sunset', beforeEvent: 'sunrise' },
  afterSunrise: { afterEvent: 'sunrise' },
  beforeSunrise: { beforeEvent: 'sunrise' },
  afterSunset: { afterEvent: 'sunset' },
  beforeSunset: { beforeEvent: 'sunset' },
} as const satisfies Record<DayPart, object>;

export function ConditionFields({ condition, onChange }: FieldsProps<NativeCondition>) {
  const t = useTexts(nativeTexts);
  switch (condition.type) {
    case 'characteristic':
      return <CharacteristicFields condition={condition} onChange={onChange} />;
    case 'time':
      return (
        <SimpleGrid minColWidth="min(100%, 180px)" autoFlow="auto-fit" spacing={12} style={{ alignItems: 'start' }}>
          <TimeOfDayInput
            label={t.timeFrom}
            value={condition.afterTime ?? ''}
            onChange={(time) => onChange({ ...condition, afterTime: time || undefined })}
          />
          <TimeOfDayInput
            label={t.timeUntil}
            value={condition.beforeTime ?? ''}
            onChange={(time) => onChange({ ...condition, beforeTime: time || undefined })}
          />
        </SimpleGrid>
      );
    case 'significantEvent':
      return (
        <NativeSelect
          label={t.dayNight}
          value={dayPartOf(condition)}
          onChange={({ currentTarget }) =>
            onChange({ type: 'significantEvent', ...DAY_PARTS[currentTarget.value as DayPart] })
          }
          data={(Object.keys(DAY_PARTS) as DayPart[]).map((part) => ({ value: part, label: t[part] }))}
        />
      );
    case 'presence':
      return (
        <>
          <NativeSelect
            label={t.presence}
            value={condition.presenceEvent}
            onChange={({ currentTarget }) => onChange({ ...condition, presenceEvent: currentTarget.value })}
            data={(['atHome', 'notAtHome'] as const).map((one) => ({ value: one, label: t.presenceStates[one] }))}
          />
          <PeoplePicker
            value={condition.personIds}
            onChange={(personIds) => onChange({ ...condition, ...whoOf(personIds) })}
          />
        </>
      );
  }
}

function CharacteristicFields({ condition, onChange }: FieldsProps<Of<'characteristic'>>) {
  const t = useTexts(nativeTexts);
  const inventory = useHome();
  const property = findProperty(inventory, condition);
  const operators = property && isNumeric(property) ? ORDERED : UNORDERED;
  return (
    <>
      <AccessoryPropertyPicker
        value={condition.accessoryId ? condition : undefined}
        filter={({ characteristic }) => characteristic.canRead && characteristic.type !== 'programmable_switch_event'}
        onChange={(ref) => {
          const next = findProperty(inventory, ref);
          const value = firstValueOf(next) ?? next?.characteristic.value;
          onChange({ type: 'characteristic', ...ref, operator: 'equalTo', value });
        }}
      />
      {property && (
        <SimpleGrid minColWidth="min(100%, 180px)" autoFlow="auto-fit" spacing={12} style={{ alignItems: 'start' }}>
          <NativeSelect
            label={t.comparison}
            value={condition.operator}
            onChange={({ currentTarget }) => onChange({ ...condition, operator: currentTarget.value })}
            data={operators.map((one) => ({ value: one, label: t.operators[one] }))}
          />
          <ValueInput
            property={property}
            value={condition.value}
            onChange={(value) => onChange({ ...condition, value })}
          />
        </SimpleGrid>
      )}
    </>
  );
}
