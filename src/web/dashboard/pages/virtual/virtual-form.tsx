/** The form of a virtual accessory: the common fields, and those of its kind. */
import commonTexts from 'texts:common';
import virtualTexts from 'texts:virtual';
import { Button, NativeSelect, NumberInput, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { MAX_NAME_LENGTH } from '../../../../home/vocabulary/limits.ts';
import { useHome } from '../../home/use-home.ts';
import { DurationInput } from '../../pickers/duration-input.tsx';
import { useTexts } from '../../texts/texts.ts';
import { Columns } from '../../ui/columns.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { useLeaveGuard } from '../../ui/leave-guard.ts';
import { ErrorNotice } from '../../ui/page.tsx';
import { useRoomName } from '../rooms/room-name.ts';
import { OptionsList } from './options-list.tsx';
import { faultIn, type VirtualFields, type VirtualKind } from './virtual-kinds.ts';

export interface VirtualDraft {
  readonly name: string;
  readonly roomId: string;
  readonly controllable: boolean;
  readonly fields: VirtualFields;
}

interface VirtualFormProps {
  readonly kind: VirtualKind;
  readonly first: VirtualDraft;
  readonly error: unknown;
  readonly isBusy: boolean;
  readonly onSubmit: (draft: VirtualDraft, onSaved: () => void) => void;
  readonly onCancel: () => void;
  /** A button at the end of the fields. */
  readonly end?: ReactNode;
}

export function VirtualForm({ kind, first, error, isBusy, onSubmit, onCancel, end }: VirtualFormProps) {
  const t = useTexts(virtualTexts);
  const common = useTexts(commonTexts);
  const { rooms } = useHome();
  const roomName = useRoomName();
  const form = useForm<VirtualDraft>({
    initialValues: first,
    validate: ({ fields }) => {
      const fault = faultIn(kind, fields);
      return fault ? { fields: t.faults[fault] } : {};
    },
  });
  useLeaveGuard(form.isDirty() && !isBusy);
  const isWrong = form.errors.fields !== undefined && faultIn(kind, form.values.fields) !== undefined;
  const submit = ({ name, roomId, controllable, fields }: VirtualDraft) =>
    onSubmit({ name: name.trim(), roomId, controllable, fields }, () => form.resetDirty());
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack gap="lg">
        <Columns
          second={
            <Stack>
              <KindFields kind={kind} form={form} />
              <Switch
                label={t.controllable}
                description={t.controllableText}
                {...form.getInputProps('controllable', { type: 'checkbox' })}
              />
              {isWrong && (
                <Text c="var(--h-bad-ink)" role="alert">
                  {form.errors.fields}
                </Text>
              )}
              {error != null && <ErrorNotice error={error} />}
              {end}
            </Stack>
          }
        >
          <TextInput label={t.name} required maxLength={MAX_NAME_LENGTH} {...form.getInputProps('name')} />
          <NativeSelect
            label={t.room}
            data={rooms.map((room) => ({ value: room.id, label: roomName(room) }))}
            {...form.getInputProps('roomId')}
          />
        </Columns>
        <FormActions>
          <Button type="submit" loading={isBusy}>
            {common.save}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {common.cancel}
          </Button>
        </FormActions>
      </Stack>
    </form>
  );
}

interface KindFieldsProps {
  readonly kind: VirtualKind;
  readonly form: UseFormReturnType<VirtualDraft>;
}

function KindFields({ kind, form }: KindFieldsProps) {
  const t = useTexts(virtualTexts);
  switch (kind) {
    case 'input_boolean':
      return <Toggle label={t.startOn} field="isOn" form={form} />;
    case 'input_select':
      return (
        <OptionsList
          options={form.values.fields.options}
          onChange={(options) => form.setFieldValue('fields.options', options)}
        />
      );
    case 'input_number':
    case 'counter':
      return <RangeFields kind={kind} form={form} />;
    case 'timer':
      return (
        <DurationInput
          label={t.duration}
          valueMs={form.values.fields.durationMs}
          onChange={(durationMs) => form.setFieldValue('fields.durationMs', durationMs)}
        />
      );
    case 'input_text':
      return <TextFields form={form} />;
    case 'input_datetime':
      return (
        <>
          <Toggle label={t.hasDate} field="hasDate" form={form} />
          <Toggle label={t.hasTime} field="hasTime" form={form} />
        </>
      );
  }
}

function RangeFields({ kind, form }: KindFieldsProps) {
  const t = useTexts(virtualTexts);
  const isCounter = kind === 'counter';
  const limit = isCounter ? t.noLimit : undefined;
  return (
    <>
      <Pair>
        <Amount label={t.min} placeholder={limit} field="min" form={form} />
        <Amount label={t.max} placeholder={limit} field="max" form={form} />
      </Pair>
      <Pair>
        <Amount label={t.step} field="step" form={form} />
        <Amount label={t.start} field="start" form={form} />
      </Pair>
      {!isCounter && (
        <>
          <TextInput label={t.unit} description={t.unitText} maxLength={16} {...form.getInputProps('fields.unit')} />
          <Toggle label={t.slider} field="isSlider" form={form} />
        </>
      )}
    </>
  );
}

function TextFields({ form }: Pick<KindFieldsProps, 'form'>) {
  const t = useTexts(virtualTexts);
  return (
    <>
      <TextInput label={t.textStart} {...form.getInputProps('fields.text')} />
      <Pair>
        <Amount label={t.minLength} field="minLength" form={form} />
        <Amount label={t.maxLength} field="maxLength" form={form} />
      </Pair>
      <TextInput label={t.pattern} description={t.patternText} {...form.getInputProps('fields.pattern')} />
    </>
  );
}

/** Two short fields side by side. */
function Pair({ children }: { readonly children: ReactNode }) {
  return (
    <SimpleGrid minColWidth="min(100%, 140px)" autoFlow="auto-fit" spacing={12} style={{ alignItems: 'end' }}>
      {children}
    </SimpleGrid>
  );
}

interface VirtualFieldProps {
  readonly label: string;
  readonly placeholder?: string | undefined;
  readonly field: keyof VirtualFields;
  readonly form: UseFormReturnType<VirtualDraft>;
}

function Toggle({ label, field, form }: VirtualFieldProps) {
  return <Switch label={label} {...form.getInputProps(`fields.${field}`, { type: 'checkbox' })} />;
}

function Amount({ label, placeholder, field, form }: VirtualFieldProps) {
  return (
    <NumberInput
      label={label}
      {...(placeholder !== undefined && { placeholder })}
      value={(form.values.fields[field] as number | undefined) ?? ''}
      onChange={(next) => form.setFieldValue(`fields.${field}`, typeof next === 'number' ? next : undefined)}
    />
  );
}
