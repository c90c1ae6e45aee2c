/** A home's name, location and pause switch; creation of other homes, and deletion of this one. */

import commonTexts from 'texts:common';
import groupsTexts from 'texts:groups';
import { Button, Group, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { MAX_NAME_LENGTH } from '../../../../../home/vocabulary/limits.ts';
import { chooseHome } from '../../../account/account.ts';
import { useApiMutation } from '../../../api/query.ts';
import { useHome, useRights } from '../../../home/use-home.ts';
import { useTexts } from '../../../texts/texts.ts';
import { mayLeave, useLeaveGuard } from '../../../ui/leave-guard.ts';
import { EmptyState, ErrorNotice, Section } from '../../../ui/page.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { SettingsFrame } from '../settings-frame.tsx';
import { SettingsColumns, SettingsSection } from '../settings-section.tsx';
import { CreateHome, DeleteHome, UpdateHome } from './home-documents.ts';
import { LightingSection } from './lighting-section.tsx';
import { PlaceSection } from './place-section.tsx';

export function HomeSettingsPage() {
  const t = useTexts(groupsTexts).settings;
  const inventory = useHome();
  const { canManage, isOwner } = useRights();
  if (!canManage) {
    return (
      <SettingsFrame>
        <EmptyState title={t.title}>{t.onlyManagers}</EmptyState>
      </SettingsFrame>
    );
  }
  return (
    <SettingsFrame lead={inventory.name}>
      <SettingsColumns
        second={
          isOwner && (
            <>
              <PauseSection />
              <RightsSection />
              <OtherHome />
              <EndOfHome />
            </>
          )
        }
      >
        <NameForm key={`name-${inventory.id}-${inventory.name}`} />
        <PlaceSection />
        <LightingSection />
      </SettingsColumns>
    </SettingsFrame>
  );
}

function useUpdateHome(text: string) {
  const { id: homeId } = useHome();
  const update = useApiMutation(UpdateHome, { subjects: ['inventory', 'account'], onDone: () => showToast({ text }) });
  return {
    ...update,
    save: (change: { name?: string; paused?: boolean; privileges?: string }) => update.mutate({ homeId, ...change }),
  };
}

function NameForm() {
  const t = useTexts(groupsTexts).settings;
  const common = useTexts(commonTexts);
  const inventory = useHome();
  const form = useForm({ initialValues: { name: inventory.name } });
  const { save, error } = useUpdateHome(t.saved);
  const name = form.values.name.trim();
  const isChanged = name !== inventory.name;
  const [sent, setSent] = useState<string>();
  const isOnItsWay = sent === name && !error;
  useLeaveGuard(isChanged && !isOnItsWay);
  const saveChanged = () => {
    if (!name || !isChanged || isOnItsWay) return;
    setSent(name);
    save({ name });
  };
  return (
    <Section id="name">
      <form noValidate onSubmit={form.onSubmit(saveChanged)} onBlur={saveChanged}>
        <Stack>
          <TextInput
            label={t.name}
            required
            maxLength={MAX_NAME_LENGTH}
            {...form.getInputProps('name')}
            error={name ? undefined : common.fields.missing}
          />
          {error && <ErrorNotice error={error} />}
        </Stack>
      </form>
    </Section>
  );
}

function PauseSection() {
  const t = useTexts(groupsTexts).settings;
  const { paused } = useHome();
  const { save, error, isPending } = useUpdateHome(paused ? t.nowResumed : t.nowPaused);
  return (
    <SettingsSection id="pause" title={t.paused} lead={t.pausedText}>
      {error && <ErrorNotice error={error} />}
      <Group>
        <Button variant="default" loading={isPending} onClick={() => save({ paused: !paused })}>
          {paused ? t.resume : t.pause}
        </Button>
      </Group>
    </SettingsSection>
  );
}

function RightsSection() {
  const t = useTexts(groupsTexts).settings;
  const { privileges } = useHome();
  const { save, error } = useUpdateHome(t.saved);
  return (
    <SettingsSection id="automations" title={t.rights}>
      <Switch
        label={t.privileges}
        description={t.privilegesText}
        checked={privileges === 'edit'}
        onChange={({ currentTarget }) => save({ privileges: currentTarget.checked ? 'edit' : 'view' })}
      />
      {error && <ErrorNotice error={error} />}
    </SettingsSection>
  );
}

function OtherHome() {
  const t = useTexts(groupsTexts).settings;
  const form = useForm({ initialValues: { name: '' } });
  const name = form.values.name.trim();
  const create = useApiMutation(CreateHome, {
    subjects: ['account'],
    onDone: ({ createHome }) => {
      if (!createHome) return;
      showToast({ text: t.homeCreated({ name: createHome.name }) });
      chooseHome(createHome.id);
      form.reset();
    },
  });
  const submit = async () => {
    // The page switches to the new home.
    if (await mayLeave()) create.mutate({ name });
  };
  return (
    <SettingsSection id="homes" title={t.other} lead={t.otherText}>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <TextInput label={t.name} maxLength={MAX_NAME_LENGTH} {...form.getInputProps('name')} />
          {create.error && <ErrorNotice error={create.error} />}
          <Group>
            <Button type="submit" variant="default" loading={create.isPending} disabled={!name}>
              {t.createHome}
            </Button>
          </Group>
        </Stack>
      </form>
    </SettingsSection>
  );
}

function EndOfHome() {
  const t = useTexts(groupsTexts).settings;
  const inventory = useHome();
  const form = useForm({ initialValues: { name: '' } });
  const [, go] = useLocation();
  const remove = useApiMutation(DeleteHome, {
    subjects: ['account'],
    onDone: () => {
      showToast({ text: t.homeDeleted({ name: inventory.name }) });
      // Leaves the page: otherwise it would show the settings of the next home, with its delete button.
      go('/');
    },
  });
  return (
    <SettingsSection id="delete" title={t.delete} lead={t.deleteText}>
      <form onSubmit={form.onSubmit(() => remove.mutate({ homeId: inventory.id }))}>
        <Stack>
          <TextInput label={t.typeName({ name: inventory.name })} autoComplete="off" {...form.getInputProps('name')} />
          {remove.error && <ErrorNotice error={remove.error} />}
          <Group>
            <Button
              type="submit"
              color="red"
              disabled={form.values.name.trim() !== inventory.name}
              loading={remove.isPending}
            >
              {t.delete}
            </Button>
          </Group>
        </Stack>
      </form>
    </SettingsSection>
  );
}
