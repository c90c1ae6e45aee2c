/** Creates an invitation and shows its link once: the relay sends no mail, so the inviting user passes it on. */

import commonTexts from 'texts:common';
import peopleTexts from 'texts:people';
import { Button, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { act } from '../../api/client.ts';
import { useHome, useRights } from '../../home/use-home.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EntityDialog } from '../../ui/entity-dialog.tsx';
import { Hint } from '../../ui/entries.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { InviteMember } from './documents.ts';
import { RolePicker } from './role-picker.tsx';
import { type Role, rolesToGive } from './roles.ts';

interface Invited {
  readonly email: string;
  /** `null`: the invited person has an account, and the invitation appears there. */
  readonly url: string | null;
  readonly expiresAt: string | null;
}

export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(peopleTexts);
  const { id: homeId } = useHome();
  const { role: mine } = useRights();
  const [invited, setInvited] = useState<Invited>();
  if (invited) return <InvitationDialog invited={invited} onClose={onClose} />;
  const invite = async (values: { readonly email: string; readonly role: Role }) => {
    const email = values.email.trim();
    const { inviteHomeMember: result } = await act(InviteMember, { homeId, email, role: values.role });
    setInvited({ email, url: result?.invitationUrl ?? null, expiresAt: result?.expiresAt ?? null });
    return 'stay';
  };
  return (
    <EntityDialog
      title={t.invite.title}
      action={t.invite.action}
      initialValues={{ email: '', role: 'control' as Role }}
      subjects={['members']}
      onSubmit={invite}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextInput
            label={t.invite.email}
            description={t.invite.emailHint}
            autoComplete="off"
            required
            data-autofocus
            {...form.getInputProps('email')}
          />
          <RolePicker
            roles={rolesToGive(mine)}
            value={form.values.role}
            onChange={(role) => form.setFieldValue('role', role)}
          />
        </>
      )}
    </EntityDialog>
  );
}

function InvitationDialog({ invited, onClose }: { readonly invited: Invited; readonly onClose: () => void }) {
  const t = useTexts(peopleTexts);
  const common = useTexts(commonTexts);
  const format = useFormat();
  const { email, url, expiresAt } = invited;
  return (
    <Dialog title={t.invite.done} onClose={onClose} foot={<Button onClick={onClose}>{common.done}</Button>}>
      <Stack>
        <Hint>{url === null ? t.invite.hasAccount({ email }) : t.invite.give({ email })}</Hint>
        {url !== null && (
          <>
            <QrCode value={url} label={t.invite.qr} />
            <CopyField label={t.invite.link} value={url} />
            {expiresAt !== null && <Hint>{t.invite.until({ when: format.dateTime(expiresAt) })}</Hint>}
          </>
        )}
      </Stack>
    </Dialog>
  );
}
