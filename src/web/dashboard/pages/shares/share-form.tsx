/** The form of a share: access type, permission, schedule. */

import sharesTexts from 'texts:shares';
import { Checkbox, PasswordInput, Radio, Stack, Switch, TextInput } from '@mantine/core';
import { useHome } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { alwaysOpen, type Schedule } from './schedule.ts';
import { ScheduleEditor } from './schedule-editor.tsx';

export type AccessType = 'public' | 'passcode' | 'user';
export type ShareRole = 'view' | 'control';

export interface ShareDraft {
  readonly accessType: AccessType;
  readonly role: ShareRole;
  readonly requirePost: boolean;
  /** `undefined`: always. */
  readonly schedule: Schedule | undefined;
}

interface ShareFormProps {
  readonly draft: ShareDraft;
  readonly onChange: (draft: ShareDraft) => void;
  /** The access type of an existing share can't be changed. */
  readonly isNew: boolean;
  readonly name: string;
  readonly hasDoors: boolean;
}

export function ShareForm({ draft, onChange, isNew, name, hasDoors }: ShareFormProps) {
  const { form: t } = useTexts(sharesTexts);
  const zone = useZone();
  const { accessType, role, requirePost, schedule } = draft;
  return (
    <>
      {isNew && <AccessTypeField value={accessType} onChange={(next) => onChange({ ...draft, accessType: next })} />}
      {accessType === 'passcode' && (
        <PasswordInput
          name="passcode"
          label={isNew ? t.passcode : t.passcodeNew}
          description={isNew ? t.passcodeLength : t.passcodeKeep}
          required={isNew}
          minLength={role === 'control' ? 6 : 4}
          maxLength={128}
          autoComplete="new-password"
          size="md"
        />
      )}
      {isNew && accessType === 'user' && (
        <TextInput name="userEmail" label={t.email} required autoComplete="off" size="md" />
      )}
      <Radio.Group
        label={t.may}
        value={role}
        onChange={(next) => onChange({ ...draft, role: next === 'control' ? 'control' : 'view' })}
      >
        <Stack gap="sm" mt="xs">
          <Radio value="view" label={t.view} description={t.viewHint} />
          <Radio value="control" label={t.control} description={t.controlHint} />
        </Stack>
      </Radio.Group>
      {role === 'control' && (
        <Checkbox
          label={t.requirePost}
          description={hasDoors ? t.requirePostDoors : t.requirePostHint}
          checked={requirePost}
          onChange={({ currentTarget }) => onChange({ ...draft, requirePost: currentTarget.checked })}
        />
      )}
      <Switch
        label={t.limit}
        checked={schedule !== undefined}
        onChange={({ currentTarget }) =>
          onChange({ ...draft, schedule: currentTarget.checked ? alwaysOpen(zone) : undefined })
        }
      />
      {schedule && <ScheduleEditor value={schedule} onChange={(next) => onChange({ ...draft, schedule: next })} />}
      <TextInput
        name="name"
        label={t.label}
        description={t.labelHint}
        defaultValue={name}
        maxLength={64}
        autoComplete="off"
        size="md"
      />
    </>
  );
}

interface AccessTypeFieldProps {
  readonly value: AccessType;
  readonly onChange: (type: AccessType) => void;
}

function AccessTypeField({ value, onChange }: AccessTypeFieldProps) {
  const { form: t, access } = useTexts(sharesTexts);
  return (
    <Radio.Group label={t.who} value={value} onChange={(type) => onChange(type as AccessType)}>
      <Stack gap="sm" mt="xs">
        <Radio value="public" label={access.public} description={t.publicHint} />
        <Radio value="passcode" label={access.passcode} description={t.passcodeHint} />
        <Radio value="user" label={access.user} description={t.userHint} />
      </Stack>
    </Radio.Group>
  );
}

/** The home's zone, else this device's. */
export function useZone(): string {
  return useHome().timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}
