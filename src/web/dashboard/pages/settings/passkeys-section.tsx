/** Passkeys: creating one on this device, renaming and removing them. Access tokens have none. */

import settingsTexts from 'texts:settings';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { MAX_NAME_LENGTH } from '../../../../home/vocabulary/limits.ts';
import { createCredential, passkeyObstacle } from '../../../passkeys/webauthn.ts';
import { nameOfThisDevice } from '../../account/device-name.ts';
import { usePasskeyErrorText } from '../../account/passkey-error.ts';
import { ApiError } from '../../api/api-error.ts';
import { act } from '../../api/client.ts';
import { present, type ResultOf } from '../../api/graphql.ts';
import { refresh, useApiMutation, useApiQuery } from '../../api/query.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { confirm } from '../../ui/confirm.ts';
import { ActsMenu, Badge, Entries, Entry } from '../../ui/entries.tsx';
import { errorText } from '../../ui/error-text.ts';
import { Answer } from '../../ui/page.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { PasswordField } from '../sign-in/password-field.tsx';
import { Problem } from '../sign-in/problem.tsx';
import { BeginPasskey, CreatePasskey, PasskeysQuery, RemovePasskey, RenamePasskey } from './passkey-documents.ts';
import classes from './settings.module.css';
import { SettingsSection } from './settings-section.tsx';

type Passkey = NonNullable<NonNullable<ResultOf<typeof PasskeysQuery>['passkeys']>[number]>;

export function PasskeysSection() {
  const t = useTexts(settingsTexts);
  const query = useApiQuery(PasskeysQuery, {}, { subjects: ['account'] });
  const [isCreating, setCreating] = useState(false);
  if (query.error instanceof ApiError && query.error.code === 'insufficient_permissions') return null;
  const obstacle = passkeyObstacle();
  return (
    <SettingsSection id="passkeys" title={t.passkeys.title} lead={t.passkeys.lead}>
      <Answer query={query}>
        {({ passkeys, secondFactor }) => {
          const all = present(passkeys);
          return (
            <Stack>
              {all.length > 0 && (
                <Entries label={t.passkeys.title}>
                  {all.map((passkey) => (
                    <PasskeyEntry key={passkey.id} passkey={passkey} />
                  ))}
                </Entries>
              )}
              {all.length > 0 && secondFactor?.isOn === false && <p className={classes.dim}>{t.passkeys.alone}</p>}
              {obstacle !== undefined && <p className={classes.dim}>{t.passkeys.obstacles[obstacle]}</p>}
              {obstacle === undefined && isCreating && <NewPasskey onClose={() => setCreating(false)} />}
              {obstacle === undefined && !isCreating && (
                <Button variant="default" className={classes.button ?? ''} onClick={() => setCreating(true)}>
                  {t.passkeys.create}
                </Button>
              )}
            </Stack>
          );
        }}
      </Answer>
    </SettingsSection>
  );
}

function PasskeyEntry({ passkey }: { readonly passkey: Passkey }) {
  const t = useTexts(settingsTexts);
  const format = useFormat();
  const [isRenaming, setRenaming] = useState(false);
  const remove = useApiMutation(RemovePasskey, {
    subjects: ['account'],
    onDone: () => showToast({ text: t.passkeys.removed }),
  });
  const { id, name, host, isSynced, createdAt, lastUsedAt } = passkey;
  const askToRemove = async () => {
    const question = {
      title: t.passkeys.removeTitle({ name }),
      body: t.passkeys.removeText,
      action: t.passkeys.remove,
    };
    if (!(await confirm({ ...question, isDangerous: true }))) return;
    remove.mutate({ id }, { onError: (error) => showToast({ text: errorText(error), tone: 'bad' }) });
  };
  return (
    <Entry
      icon={<KeyRound size={22} />}
      name={name}
      badges={isSynced && <Badge>{t.passkeys.synced}</Badge>}
      menu={
        <ActsMenu
          label={t.passkeys.acts({ name })}
          acts={[
            { label: t.passkeys.rename, run: () => setRenaming(true) },
            { label: t.passkeys.remove, isDangerous: true, run: () => void askToRemove() },
          ]}
        />
      }
    >
      {isRenaming ? (
        <Renaming id={id} name={name} onClose={() => setRenaming(false)} />
      ) : (
        <>
          {host} · {createdAt && t.passkeys.since({ date: format.date(createdAt) })} ·{' '}
          {lastUsedAt ? (
            <>
              {t.lastSeen} <TimeAgo at={lastUsedAt} />
            </>
          ) : (
            t.passkeys.unused
          )}
        </>
      )}
    </Entry>
  );
}

interface RenamingProps {
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
}

function Renaming({ id, name, onClose }: RenamingProps) {
  const t = useTexts(settingsTexts);
  const form = useForm({ initialValues: { name } });
  const rename = useApiMutation(RenamePasskey, { subjects: ['account'], onDone: onClose });
  return (
    <form onSubmit={form.onSubmit((values) => rename.mutate({ id, ...values }))}>
      <Stack>
        <Problem text={rename.error ? errorText(rename.error) : undefined} />
        <TextInput
          label={t.passkeys.name}
          maxLength={MAX_NAME_LENGTH}
          required
          withAsterisk={false}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Group justify="flex-end">
          <Button variant="subtle" onClick={onClose}>
            {t.twoStepCancel}
          </Button>
          <Button type="submit" variant="default" loading={rename.isPending}>
            {t.passkeys.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function NewPasskey({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(settingsTexts);
  const passkeyError = usePasskeyErrorText();
  const [error, setError] = useState<unknown>();
  const form = useForm({ initialValues: { password: '', name: nameOfThisDevice() } });
  const explain = (failure: unknown) =>
    failure instanceof ApiError && failure.reason === 'wrong_password' ? t.passwordWrong : passkeyError(failure);
  const create = async ({ password, name }: typeof form.values) => {
    setError(undefined);
    try {
      const { beginPasskey } = await act(BeginPasskey, { currentPassword: password });
      const response = await createCredential(beginPasskey?.options);
      await act(CreatePasskey, { name, response });
      refresh('account');
      showToast({ text: t.passkeys.created });
      onClose();
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <form onSubmit={form.onSubmit(create)}>
      <Stack>
        <Problem text={error === undefined ? undefined : explain(error)} />
        <TextInput
          label={t.passkeys.name}
          description={t.passkeys.nameHint}
          maxLength={MAX_NAME_LENGTH}
          required
          withAsterisk={false}
          {...form.getInputProps('name')}
        />
        <PasswordField label={t.twoStepPassword} autoComplete="current-password" {...form.getInputProps('password')} />
        <Group justify="flex-end">
          <Button variant="subtle" onClick={onClose}>
            {t.twoStepCancel}
          </Button>
          <Button type="submit" variant="default" loading={form.submitting} disabled={form.values.password === ''}>
            {t.twoStepGoOn}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
