/** References of a flow: accessories, scenes, people, automations, and other parts of the flow. */
import { Button, Checkbox, NativeSelect, NumberInput, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useHome } from '../../../../home/use-home.ts';
import { PeoplePicker } from '../../../../pickers/people-picker.tsx';
import { findTarget, propertiesOf } from '../../../../pickers/property.ts';
import { ScenePicker } from '../../../../pickers/scene-picker.tsx';
import { ValueInput } from '../../../../pickers/value-input.tsx';
import { CopyField } from '../../../../ui/copy-field.tsx';
import { type Json, textOf, withFields, wordsOf } from '../../flow/flow-record.ts';
import { ACCESSORY_SETTING } from '../../flow/registry.ts';
import { walkFlow } from '../../flow/structure.ts';
import classes from '../editor.module.css';
import { useEditor } from '../editor-context.tsx';
import type { FieldProps } from './field-props.ts';

interface Option {
  readonly value: string;
  readonly label: string;
}

interface IdSelectProps extends Pick<FieldProps, 'label' | 'error'> {
  readonly value: string;
  readonly options: readonly Option[];
  readonly gone: string;
  choose(id: string): void;
}

/** Selects one entry, with search; a chosen entry that no longer exists stays listed. */
function IdSelect({ label, error, value, options, gone, choose }: IdSelectProps) {
  const { texts } = useEditor();
  const isKnown = value === '' || options.some((option) => option.value === value);
  if (options.length === 0 && value === '') {
    return (
      <Text c="dimmed" className="h-anywhere">
        {label}: {texts.inputs.nothingToChoose}
      </Text>
    );
  }
  return (
    <Select
      label={label}
      error={error}
      searchable
      allowDeselect={false}
      nothingFoundMessage={texts.pick.none}
      value={value === '' ? null : value}
      data={[...options, ...(isKnown ? [] : [{ value, label: gone }])]}
      onChange={(id) => id && choose(id)}
    />
  );
}

export function AccessoryField({ field, node, label, error, setNode }: FieldProps) {
  const { accessories } = useHome();
  const { texts } = useEditor();
  const isVirtualOnly = field.control.is === 'virtualAccessory';
  const offered = accessories.filter((one) => !isVirtualOnly || one.isVirtual);
  const choose = (accessoryId: string) =>
    setNode(withFields(node, { accessoryId, ...(isVirtualOnly && { operation: undefined, value: undefined }) }));
  return (
    <IdSelect
      {...{ label, error, choose }}
      value={textOf(node, 'accessoryId')}
      options={offered.map(({ id, name }) => ({ value: id, label: name }))}
      gone={texts.choices.none}
    />
  );
}

/** The operations of the virtual accessory. */
export function OperationField({ node, label, error, set }: FieldProps) {
  const inventory = useHome();
  const { texts } = useEditor();
  const accessory = findTarget(inventory, textOf(node, 'accessoryId'));
  const operations = accessory?.virtualOperations ?? [];
  const names = texts.choices.operation as Readonly<Record<string, string>>;
  const value = textOf(node, 'operation');
  if (!accessory) return null;
  return (
    <NativeSelect
      label={label}
      error={error}
      value={value}
      data={['', ...operations].map((one) => ({ value: one, label: names[one] ?? (one || texts.choices.none) }))}
      onChange={({ currentTarget }) => set(currentTarget.value === '' ? undefined : currentTarget.value)}
    />
  );
}

/** The value that a virtual accessory is set to. */
export function OperandField({ node, label, error, set }: FieldProps) {
  const inventory = useHome();
  const accessory = findTarget(inventory, textOf(node, 'accessoryId'));
  const [property] = accessory ? propertiesOf(accessory) : [];
  const change = (value: unknown) => set(value as Json | undefined);
  return <ValueInput label={label} error={error} property={property} value={node.value} onChange={change} />;
}

export function SceneField({ field, node, label, error, set }: FieldProps) {
  return <ScenePicker label={label} error={error} value={textOf(node, field.name) || undefined} onChange={set} />;
}

export function AutomationField({ field, node, label, error, set }: FieldProps) {
  const { names, texts } = useEditor();
  const offered = field.control.is === 'flow' ? names.flows : [...names.flows, ...names.natives];
  return (
    <IdSelect
      {...{ label, error }}
      choose={set}
      value={textOf(node, field.name)}
      options={offered.map(({ id, name }) => ({ value: id, label: name }))}
      gone={texts.choices.none}
    />
  );
}

export function PeopleField({ field, node, label, error, set }: FieldProps) {
  const change = (ids: readonly string[]) => set(ids.length === 0 ? undefined : ids);
  return <PeoplePicker label={label} error={error} value={wordsOf(node[field.name])} onChange={change} />;
}

/** Anyone, everyone, or selected people. */
export function WhoField({ node, label, error, set }: FieldProps) {
  const { texts, names } = useEditor();
  const isList = Array.isArray(node.who);
  const value = isList ? 'these' : textOf(node, 'who');
  const choose = (next: string) => set(next === 'these' ? names.people.slice(0, 1).map(({ id }) => id) : next);
  const offered = Object.entries(texts.choices.who).filter(
    ([key]) => key !== 'these' || names.people.length > 0 || isList,
  );
  return (
    <Stack gap={6} miw={0}>
      <NativeSelect
        label={label}
        error={error}
        value={value}
        data={offered.map(([key, text]) => ({ value: key, label: text }))}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      {isList && <PeoplePicker value={wordsOf(node.who)} onChange={(ids) => set(ids.length === 0 ? 'anyone' : ids)} />}
    </Stack>
  );
}

/** One of the flow's own triggers. */
export function TriggerRefField({ field, node, label, error, set }: FieldProps) {
  const { state, sentences } = useEditor();
  const options = state.flow.triggers.map((one) => ({ value: textOf(one, 'id'), label: sentences.trigger(one) }));
  const value = textOf(node, field.name);
  return <IdSelect {...{ label, error, value, options }} gone={value} choose={set} />;
}

/** The steps whose changes can be restored. */
export function SceneActionRefField({ field, node, label, error, set }: FieldProps) {
  const options = useActions((type) => type === 'execute_scene' || type === ACCESSORY_SETTING);
  const value = textOf(node, field.name);
  return <IdSelect {...{ label, error, value, options }} gone={value} choose={set} />;
}

/** Steps whose results are combined. */
export function ActionRefsField({ field, node, label, error, set }: FieldProps) {
  const { texts } = useEditor();
  const options = useActions(() => true).filter(({ value }) => value !== node.id);
  if (options.length === 0) {
    return (
      <Text c="dimmed" className="h-anywhere">
        {label}: {texts.inputs.nothingToChoose}
      </Text>
    );
  }
  return (
    <Checkbox.Group label={label} error={error} value={[...wordsOf(node[field.name])]} onChange={(next) => set(next)}>
      <Stack gap={6} miw={0}>
        {options.map((option) => (
          <Checkbox key={option.value} value={option.value} label={option.label} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

function useActions(isMeant: (type: string) => boolean): readonly Option[] {
  const { state, sentences } = useEditor();
  return [...walkFlow(state.flow)]
    .filter(({ role, node }) => role === 'action' && isMeant(textOf(node, 'type')))
    .map(({ node }) => ({ value: textOf(node, 'id'), label: textOf(node, 'alias') || sentences.action(node) }));
}

export function WebhookField({ node }: FieldProps) {
  const { texts } = useEditor();
  const id = textOf(node, 'webhookId');
  if (id === '')
    return (
      <Text c="dimmed" className="h-anywhere">
        {texts.inputs.webhookNew}
      </Text>
    );
  return (
    <Stack gap={6} miw={0}>
      <CopyField label={texts.fields.webhookId} value={`${location.origin}/webhook/${id}`} />
      <Text c="dimmed" className="h-anywhere">
        {texts.inputs.webhookSecret}
      </Text>
    </Stack>
  );
}

/** Coordinates in degrees; one tap fills in the home's own. */
export function PlaceField({ node, label, error, setNode }: FieldProps) {
  const { latitude, longitude } = useHome();
  const { texts } = useEditor();
  const put = (name: string, value: number | string) =>
    setNode(withFields(node, { [name]: typeof value === 'number' ? value : undefined }));
  const shownOf = (name: string) => (typeof node[name] === 'number' ? (node[name] as number) : '');
  return (
    <fieldset className={classes.fieldset}>
      <legend>{label}</legend>
      <SimpleGrid minColWidth="min(100%, 160px)" autoFlow="auto-fit" spacing={12} style={{ alignItems: 'end' }}>
        <NumberInput
          label={texts.inputs.latitude}
          error={error}
          {...{ min: -90, max: 90, decimalScale: 6 }}
          value={shownOf('latitude')}
          onChange={(value) => put('latitude', value)}
        />
        <NumberInput
          label={texts.inputs.longitude}
          {...{ min: -180, max: 180, decimalScale: 6 }}
          value={shownOf('longitude')}
          onChange={(value) => put('longitude', value)}
        />
      </SimpleGrid>
      {latitude != null && longitude != null && (
        <Button variant="default" onClick={() => setNode(withFields(node, { latitude, longitude }))}>
          {texts.inputs.useHome}
        </Button>
      )}
    </fieldset>
  );
}

/** The name of a value that later steps can use. */
export function VariableNameField({ field, node, label, error, set }: FieldProps) {
  return (
    <TextInput
      label={label}
      error={error}
      spellCheck={false}
      value={textOf(node, field.name)}
      onChange={({ currentTarget }) => set(currentTarget.value.trim() || undefined)}
    />
  );
}
