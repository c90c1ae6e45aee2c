/** Creates a token and shows it once. */

import developerTexts from 'texts:developer';
import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { act } from '../../api/client.ts';
import { useTexts } from '../../texts/texts.ts';
import { FormDialog, textIn } from '../../ui/form-dialog.tsx';
import { type HomePermissions, permissionsJson, reachesSomething } from '../apps/permissions.ts';
import { PermissionsField } from '../apps/permissions-field.tsx';
import { CreateToken } from './documents.ts';
import { SecretDialog } from './secret-dialog.tsx';

const DAY_MS = 86_400_000;
/** Common lifetimes: a day, a month, a season, a year. */
const LIFETIMES_DAYS = [1, 30, 90, 365] as const;

export function CreateTokenDialog({ onClose }: { readonly onClose: () => void }) {
  const { tokens: t } = useTexts(developerTexts);
  const [permissions, setPermissions] = useState<HomePermissions>(null);
  const [made, setMade] = useState<string>();
  if (made !== undefined) {
    return <SecretDialog title={t.made} label={t.token} secret={made} hint={t.usage} onClose={onClose} />;
  }
  const create = async (form: FormData) => {
    const days = Number(form.get('days'));
    const { createAccessToken: result } = await act(CreateToken, {
      name: textIn(form, 'name'),
      homePermissions: permissionsJson(permissions),
      expiresAt: days > 0 ? new Date(Date.now() + days * DAY_MS).toISOString() : null,
    });
    setMade(result?.token ?? undefined);
    return 'stay';
  };
  return (
    <FormDialog
      title={t.create}
      action={t.create}
      subjects={['tokens']}
      onSubmit={create}
      onClose={onClose}
      isIncomplete={!reachesSomething(permissions)}
    >
      <TextInput
        name="name"
        label={t.name}
        description={t.nameHint}
        required
        maxLength={64}
        autoComplete="off"
        data-autofocus
        size="md"
      />
      <PermissionsField value={permissions} onChange={setPermissions} />
      <NativeSelect
        name="days"
        label={t.expires}
        defaultValue="365"
        data={[
          ...LIFETIMES_DAYS.map((days) => ({ value: String(days), label: t.days({ count: days }) })),
          { value: '0', label: t.never },
        ]}
        size="md"
      />
    </FormDialog>
  );
}
