/** An accessory or group with one of its properties, and values that fit the property. */
import { Box, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useHome } from '../../../../home/use-home.ts';
import { AccessoryPropertyPicker } from '../../../../pickers/accessory-property-picker.tsx';
import { ChangeInput, UNCHOSEN } from '../../../../pickers/change-input.tsx';
import { findProperty, isChoice, isNumeric, type Property, type PropertyRef } from '../../../../pickers/property.ts';
import { useWords, valueText } from '../../../../pickers/property-words.ts';
import { ValueInput } from '../../../../pickers/value-input.tsx';
import { isIncluded, nextTo, written } from '../../flow/bounds.ts';
import { type FlowNode, hasTemplate, type Json, withFields } from '../../flow/flow-record.ts';
import { ACCESSORY_SETTING, GROUP_SETTING, LIGHT_LEVEL } from '../../flow/registry.ts';
import { propertyRef } from '../../flow/sentence-context.ts';
import classes from '../editor.module.css';
import { useEditor } from '../editor-context.tsx';
import type { FieldProps } from './field-props.ts';

const FILTERS: Readonly<Record<'read' | 'number' | 'write', (property: Property) => boolean>> = {
  read: ({ characteristic }) => characteristic.canRead || characteristic.type === 'programmable_switch_event',
  number: isNumeric,
  write: ({ characteristic }) => characteristic.canWrite,
};
const PRESET_TYPES = ['programmable_switch_event', LIGHT_LEVEL];

export function PropertyField({ field, node, label, error, setNode }: FieldProps) {
  const inventory = useHome();
  const use = field.control.is === 'property' ? field.control.use : 'read';
  const ref = propertyRef(node);
  // A node created as "a button is pressed" or "it is dark" offers only such accessories until one is chosen.
  const preset = ref ? undefined : PRESET_TYPES.find((type) => type === node.characteristicType);
  const filter = preset ? ({ characteristic }: Property) => characteristic.type === preset : FILTERS[use];
  const choose = (next: PropertyRef) => {
    const isGroup = inventory.serviceGroups.some(({ id }) => id === next.accessoryId);
    const isSame = ref?.accessoryId === next.accessoryId && ref.characteristicType === next.characteristicType;
    if (!isSame) setNode(withTarget(node, next, isGroup, findProperty(inventory, next)));
  };
  return <AccessoryPropertyPicker label={label} error={error} value={ref} onChange={choose} filter={filter} groups />;
}

/** Values of the previous property are invalid for the new one. */
const VALUE_FIELDS = { value: undefined, to: undefined, from: undefined, above: undefined, below: undefined } as const;

function withTarget(node: FlowNode, ref: PropertyRef, isGroup: boolean, property: Property | undefined): FlowNode {
  const { accessoryId: id, characteristicType } = ref;
  const cleared = { ...VALUE_FIELDS, accessoryId: undefined, serviceGroupId: undefined, groupId: undefined };
  const isAction = node.type === ACCESSORY_SETTING || node.type === GROUP_SETTING;
  const first = firstValue(node, property);
  if (!isAction)
    return withFields(node, {
      ...cleared,
      ...first,
      [isGroup ? 'serviceGroupId' : 'accessoryId']: id,
      characteristicType,
    });
  const target = isGroup ? { type: GROUP_SETTING, groupId: id } : { type: ACCESSORY_SETTING, accessoryId: id };
  return withFields(node, { ...cleared, ...first, ...target, characteristicType });
}

/** The default of conditions and actions is on; the user chooses the change that triggers. */
function firstValue(node: FlowNode, property: Property | undefined): Readonly<Record<string, Json>> {
  if (isStateTrigger(node)) return property && isChoice(property) ? { to: UNCHOSEN } : {};
  return property?.characteristic.format === 'bool' ? { value: true } : {};
}

function isStateTrigger({ type, id }: FlowNode): boolean {
  return type === 'state' && id !== undefined;
}

export function ValueField({ field, node, label, error, set }: FieldProps) {
  const { texts } = useEditor();
  const property = useProperty(node);
  const mayBeTemplate = field.control.is === 'value' && field.control.templates;
  const value = node[field.name];
  const [isTemplate, setTemplate] = useState(hasTemplate(value));
  if (field.isRequired) {
    return (
      <Stack gap={6} miw={0}>
        {isTemplate ? (
          <TextInput
            label={label}
            error={error}
            description={texts.inputs.templates}
            value={typeof value === 'string' ? value : ''}
            onChange={({ currentTarget }) => set(currentTarget.value)}
          />
        ) : (
          <ValueInput
            label={label}
            error={error}
            property={property}
            value={value}
            onChange={(next) => set(next as Json)}
          />
        )}
        {mayBeTemplate && (
          <button
            type="button"
            className={classes.link}
            onClick={() => {
              set(isTemplate ? undefined : '{{ }}');
              setTemplate(!isTemplate);
            }}
          >
            {isTemplate ? texts.choices.value.fixed : texts.choices.value.template}
          </button>
        )}
      </Stack>
    );
  }
  if (field.name === 'to' && isStateTrigger(node) && property && isChoice(property)) {
    const target = propertyRef(node);
    if (!target) return null;
    return (
      <ChangeInput
        label={label}
        error={error}
        target={target}
        property={property}
        value={value}
        onChange={(next) => set(next as Json | undefined)}
      />
    );
  }
  return <OptionalValue property={property} label={label} error={error} value={value} set={set} />;
}

interface OptionalValueProps extends Pick<FieldProps, 'label' | 'error' | 'set'> {
  readonly property: Property | undefined;
  readonly value: Json | undefined;
}

/** Any value, or one in particular. */
function OptionalValue({ property, label, error, value, set }: OptionalValueProps) {
  const { texts } = useEditor();
  if (!property) return null;
  if (value === undefined) {
    return (
      <div className={classes.unset}>
        <span>
          {label}: {texts.choices.unset}
        </span>
        <button type="button" className={classes.link} onClick={() => set(initialOf(property))}>
          {texts.choices.value.fixed}
        </button>
      </div>
    );
  }
  return (
    <Stack gap={6} miw={0}>
      <ValueInput
        label={label}
        error={error}
        property={property}
        value={value}
        onChange={(next) => set(next as Json)}
      />
      <button type="button" className={classes.link} onClick={() => set(undefined)}>
        {texts.choices.unset}
      </button>
    </Stack>
  );
}

function initialOf({ characteristic }: Property): Json {
  if (characteristic.format === 'bool') return true;
  return characteristic.format === 'string' ? '' : (characteristic.minValue ?? 0);
}

/** An optional bound, in the property's unit. */
export function LevelField({ field, node, label, error, set }: FieldProps) {
  const property = useProperty(node);
  const words = useWords();
  if (!property) return null;
  const { value: now, type } = property.characteristic;
  const value = node[field.name];
  const limit = typeof value === 'number' ? value : undefined;
  const change = (next: unknown) =>
    set(
      typeof next !== 'number' ? undefined : isIncluded(limit) ? nextTo(next, field.name === 'above' ? -1 : 1) : next,
    );
  return (
    <Box miw={0}>
      <ValueInput label={label} error={error} property={property} value={limit && written(limit)} onChange={change} />
      {now != null && field.name === 'below' && (
        <Text c="dimmed" fz="sm">
          {words.texts.now({ value: valueText(type, now, words) })}
        </Text>
      )}
    </Box>
  );
}

function useProperty(node: FlowNode): Property | undefined {
  const inventory = useHome();
  const ref = propertyRef(node);
  return ref && findProperty(inventory, ref);
}

/** The comparison of a state; only numbers can be above or below. */
export function OperatorField({ field, node, label, error, set }: FieldProps) {
  const { texts } = useEditor();
  const property = useProperty(node);
  const all = Object.entries(texts.choices.operator);
  const offered = property && isNumeric(property) ? all : all.slice(0, 2);
  const value = node[field.name];
  return (
    <NativeSelect
      label={label}
      error={error}
      value={typeof value === 'string' ? value : 'eq'}
      data={offered.map(([operator, text]) => ({ value: operator, label: text }))}
      onChange={({ currentTarget }) => set(currentTarget.value === 'eq' ? undefined : currentTarget.value)}
    />
  );
}
