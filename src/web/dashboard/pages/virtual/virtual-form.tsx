/** The form of a virtual accessory: the common fields, and those of its kind. */
import commonTexts from 'texts:common';
import virtualTexts from 'texts:virtual';
import {
  Button,
  Group,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useHome } from '../../home/use-home.ts';
import { DurationInput } from '../../pickers/duration-input.tsx';
import { useTexts } from '../../texts/texts.ts';
import { useLeaveGuard } from '../../ui/leave-guard.ts';
import { ErrorNotice } from '../../ui/page.tsx';
import { useRoomName } from '../rooms/room-name.ts';

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
  readonly onSubmit: (draft: VirtualDraft) => void;
  readonly onCancel: () => void;
}

export function VirtualForm({ kind, first, error, isBusy, onSubmit, onCancel }: VirtualFormProps) {
  const t = useTexts(virtualTexts);
  const common = useTexts(commonTexts);
  const { rooms } = useHome();
  const roomName = useRoomName();
  const [draft, setDraft] = useState(first);
  const [isTried, setTried] = useState(false);
  useLeaveGuard(draft !== first && !isBusy);
  const fault = faultIn(kind, draft.fields);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    const { name, roomId, controllable, fields } = draft;
    if (!fault) onSubmit({ name: name.trim(), roomId, controllable, fields });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t.name}
          value={draft.name}
          onChange={({ currentTarget }) => setDraft({ ...draft, name: currentTarget.value })}
          required
          maxLength={64}
        />
        <NativeSelect
          label={t.room}
          value={draft.roomId}
          onChange={({ currentTarget }) => setDraft({ ...draft, roomId: currentTarget.value })}
          data={rooms.map((room) => ({ value: room.id, label: roomName(room) }))}
        />
        <KindFields
          kind={kind}
          fields={draft.fields}
          onChange={(change) => setDraft({ ...draft, fields: { ...draft.fields, ...change } })}
        />
        <Switch
          label={t.controllable}
          description={t.controllableText}
          checked={draft.controllable}
          onChange={({ currentTarget }) => setDraft({ ...draft, controllable: currentTarget.checked })}
        />
        {isTried && fault && (
          <Text c="var(--h-bad-ink)" role="alert">
            {t.faults[fault]}
          </Text>
        )}
        {error != null && <ErrorNotice error={error} />}
        <Group>
          <Button type="submit" loading={isBusy}>
            {common.save}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {common.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface KindFieldsProps {
  readonly kind: VirtualKind;
  readonly fields: VirtualFields;
  readonly onChange: (change: Partial<VirtualFields>) => void;
}

function KindFields({ kind, fields, onChange }: KindFieldsProps) {
  const t = useTexts(virtualTexts);
  switch (kind) {
    case 'input_boolean':
      return <Toggle label={t.startOn} value={fields.isOn} onChange={(isOn) => onChange({ isOn })} />;
    case 'input_select':
      return (
        <Textarea
          label={t.options}
          description={t.optionsText}
          autosize
          minRows={3}
          value={fields.options.join('\n')}
          onChange={({ currentTarget }) => onChange({ options: currentTarget.value.split('\n') })}
        />
      );
    case 'input_number':
    case 'counter':
      return <RangeFields kind={kind} fields={fields} onChange={onChange} />;
    case 'timer':
      return (
        <DurationInput
          label={t.duration}
          valueMs={fields.durationMs}
          onChange={(durationMs) => onChange({ durationMs })}
        />
      );
    case 'input_text':
      return <TextFields kind={kind} fields={fields} onChange={onChange} />;
    case 'input_datetime':
      return (
        <>
          <Toggle label={t.hasDate} value={fields.hasDate} onChange={(hasDate) => onChange({ hasDate })} />
          <Toggle label={t.hasTime} value={fields.hasTime} onChange={(hasTime) => onChange({ hasTime })} />
        </>
      );
  }
}

function RangeFields({ kind, fields, onChange }: KindFieldsProps) {
  const t = useTexts(virtualTexts);
  const isCounter = kind === 'counter';
  const limit = isCounter ? t.noLimit : undefined;
  return (
    <>
      <SimpleGrid minColWidth="min(100%, 140px)" autoFlow="auto-fit" spacing={12} style={{ alignItems: 'end' }}>
        <Amount label={t.min} placeholder={limit} value={fields.min} onChange={(min) => onChange({ min })} />
        <Amount label={t.max} placeholder={limit} value={fields.max} onChange={(max) => onChange({ max })} />
      </SimpleGrid>
      <SimpleGrid minColWidth="min(100%, 140px)" autoFlow="auto-fit" spacing={12} style={{ alignItems: 'end' }}>
        <Amount label={t.step} value={fields.step} onChange={(step) => onChange({ step })} />
        <Amount label={t.start} value={fields.start} onChange={(start) => onChange({ start })} />
      </SimpleGrid>
      {!isCounter && (
        <>
          <TextInput
            label={t.unit}
            description={t.unitText}
            value={fields.unit}
            maxLength={16}
            onChange={({ currentTarget }) => onChange({ unit: currentTarget.value })}
          />
          <Toggle label={t.slider} value={fields.isSlider} onChange={(isSlider) => onChange({ isSlider })} />
        </>
      )}
    </>
  );
}

function TextFields({ fields, onChange }: KindFieldsProps) {
  const t = useTexts(virtualTexts);
  return (
    <>
      <TextInput
        label={t.textStart}
        value={fields.text}
        onChange={({ currentTarget }) => onChange({ text: currentTarget.value })}
      />
      <SimpleGrid minColWidth="min(100%, 140px)" autoFlow="auto-fit" spacing={12} style={{ alignItems: 'end' }}>
        <Amount label={t.minLength} value={fields.minLength} onChange={(minLength) => onChange({ minLength })} />
        <Amount label={t.maxLength} value={fields.maxLength} onChange={(maxLength) => onChange({ maxLength })} />
      </SimpleGrid>
      <TextInput
        label={t.pattern}
        description={t.patternText}
        value={fields.pattern}
        onChange={({ currentTarget }) => onChange({ pattern: currentTarget.value })}
      />
    </>
  );
}

interface ToggleProps {
  readonly label: string;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}

function Toggle({ label, value, onChange }: ToggleProps) {
  return <Switch label={label} checked={value} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />;
}

interface AmountProps {
  readonly label: string;
  readonly placeholder?: string | undefined;
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
}

function Amount({ label, placeholder, value, onChange }: AmountProps) {
  return (
    <NumberInput
      label={label}
      {...(placeholder !== undefined && { placeholder })}
      value={value ?? ''}
      onChange={(next) => onChange(typeof next === 'number' ? next : undefined)}
    />
  );
}
