/** Creates a token and shows it once. */

import connectionsTexts from 'texts:connections';
import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { MAX_NAME_LENGTH } from '../../../../../home/vocabulary/limits.ts';
import { useDeveloperMode } from '../../../account/developer-mode.ts';
import { act } from '../../../api/client.ts';
import { useTexts } from '../../../texts/texts.ts';
import { EntityDialog } from '../../../ui/entity-dialog.tsx';
import { Note } from '../../../ui/entries.tsx';
import { type HomePermissions, permissionsJson, reachesSomething } from '../apps/permissions.ts';
import { PermissionsField } from '../apps/permissions-field.tsx';
import { CreateToken } from '../documents.ts';
import { SecretDialog } from '../secret-dialog.tsx';

const DAY_MS = 86_400_000;
/** Common lifetimes: a day, a month, a season, a year. */
const LIFETIMES_DAYS = [1, 30, 90, 365] as const;
const NEW_TOKEN = { name: '', homePermissions: null as HomePermissions, expiresAt: '365' };

export function CreateTokenDialog({ onClose }: { readonly onClose: () => void }) {
  const { tokens: t, gate } = useTexts(connectionsTexts);
  const { isOn, turnOn } = useDeveloperMode();
  const [made, setMade] = useState<string>();
  if (made !== undefined) {
    return <SecretDialog title={t.made} label={t.token} secret={made} hint={t.usage} onClose={onClose} />;
  }
  const create = async (values: typeof NEW_TOKEN) => {
    await turnOn();
    const days = Number(values.expiresAt);
    const { createAccessToken: result } = await act(CreateToken, {
      name: values.name.trim(),
      homePermissions: permissionsJson(values.homePermissions),
      expiresAt: days > 0 ? new Date(Date.now() + days * DAY_MS).toISOString() : null,
    });
    setMade(result?.token ?? undefined);
    return 'stay';
  };
  return (
    <EntityDialog
      title={t.create}
      action={t.create}
      initialValues={NEW_TOKEN}
      subjects={['tokens']}
      onSubmit={create}
      onClose={onClose}
      isIncomplete={({ homePermissions }) => !reachesSomething(homePermissions)}
    >
      {(form) => (
        <>
          {!isOn && <Note>{gate.turnsOn}</Note>}
          <TextInput
            label={t.name}
            description={t.nameHint}
            required
            maxLength={MAX_NAME_LENGTH}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('name')}
          />
          <PermissionsField
            value={form.values.homePermissions}
            onChange={(chosen) => form.setFieldValue('homePermissions', chosen)}
          />
          <NativeSelect
            label={t.expires}
            data={[
              ...LIFETIMES_DAYS.map((days) => ({ value: String(days), label: t.days({ count: days }) })),
              { value: '0', label: t.never },
            ]}
            {...form.getInputProps('expiresAt')}
          />
        </>
      )}
    </EntityDialog>
  );
}
