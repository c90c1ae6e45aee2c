/** The form of a share: access type, permission, schedule. */

import sharesTexts from 'texts:shares';
import { Button, Checkbox, Group, PasswordInput, Radio, Stack, Switch, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { MAX_NAME_LENGTH } from '../../../../home/vocabulary/limits.ts';
import {
  type AccessType,
  MAX_PASSCODE_LENGTH,
  MIN_PASSCODE_LENGTHS,
  type ShareRole,
} from '../../../../home/vocabulary/sharing.ts';
import { useHomeZone } from '../../home/home-zone.ts';
import { useTexts } from '../../texts/texts.ts';
import { alwaysOpen, type ShareSchedule, untilUsualEnd, usualEndsAt } from './schedule.ts';
import { ScheduleEditor } from './schedule-editor.tsx';

export interface ShareDraft {
  readonly accessType: AccessType;
  readonly role: ShareRole;
  /** An explicit choice of the user stays when the entity changes; `undefined` follows its content. */
  readonly requirePost: boolean | undefined;
  /** `undefined`: always. */
  readonly schedule: ShareSchedule | undefined;
  readonly name: string;
  readonly passcode: string;
  readonly userEmail: string;
}

export const NEW_SHARE: ShareDraft = {
  accessType: 'public',
  role: 'view',
  requirePost: undefined,
  schedule: undefined,
  name: '',
  passcode: '',
  userEmail: '',
};

interface ShareFormProps {
  readonly form: UseFormReturnType<ShareDraft>;
  /** The access type of an existing share can't be changed. */
  readonly isNew: boolean;
  readonly hasDoors: boolean;
}

export function ShareForm({ form, isNew, hasDoors }: ShareFormProps) {
  const { form: t } = useTexts(sharesTexts);
  const zone = useZone();
  const { accessType, role, requirePost = hasDoors, schedule } = form.values;
  return (
    <>
      {isNew && <AccessTypeField value={accessType} onChange={(next) => form.setFieldValue('accessType', next)} />}
      {accessType === 'passcode' && (
        <PasswordInput
          label={isNew ? t.passcode : t.passcodeNew}
          description={isNew ? t.passcodeLength : t.passcodeKeep}
          required={isNew}
          minLength={MIN_PASSCODE_LENGTHS[role]}
          maxLength={MAX_PASSCODE_LENGTH}
          autoComplete="new-password"
          {...form.getInputProps('passcode')}
        />
      )}
      {isNew && accessType === 'user' && (
        <TextInput label={t.email} required autoComplete="off" {...form.getInputProps('userEmail')} />
      )}
      <Radio.Group label={t.may} {...form.getInputProps('role')}>
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
          onChange={({ currentTarget }) => form.setFieldValue('requirePost', currentTarget.checked)}
        />
      )}
      {isNew && <UsualEnds schedule={schedule} zone={zone} onChange={(next) => form.setFieldValue('schedule', next)} />}
      <Switch
        label={t.limit}
        checked={schedule !== undefined}
        onChange={({ currentTarget }) =>
          form.setFieldValue('schedule', currentTarget.checked ? alwaysOpen(zone) : undefined)
        }
      />
      {schedule && <ScheduleEditor value={schedule} onChange={(next) => form.setFieldValue('schedule', next)} />}
      <TextInput
        label={t.label}
        description={t.labelHint}
        maxLength={MAX_NAME_LENGTH}
        autoComplete="off"
        {...form.getInputProps('name')}
      />
    </>
  );
}

interface UsualEndsProps {
  readonly schedule: ShareSchedule | undefined;
  readonly zone: string;
  readonly onChange: (schedule: ShareSchedule | undefined) => void;
}

function UsualEnds({ schedule, zone, onChange }: UsualEndsProps) {
  const { form: t } = useTexts(sharesTexts);
  // The same moments as long as the dialog is open.
  const [now] = useState(Date.now);
  return (
    <Group gap={8} role="group" aria-label={t.howLong}>
      {usualEndsAt(zone, now).map((end) => {
        const until = untilUsualEnd(end, zone, now);
        const isChosen = schedule?.expiresAt === until.expiresAt;
        return (
          <Button
            key={end}
            variant={isChosen ? 'light' : 'default'}
            aria-pressed={isChosen}
            onClick={() => onChange(isChosen ? undefined : until)}
          >
            {t.ends[end]}
          </Button>
        );
      })}
    </Group>
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
  return useHomeZone() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}
