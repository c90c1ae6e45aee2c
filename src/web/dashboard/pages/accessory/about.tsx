/** What the accessory is, its room, and further actions. */
import accessoryTexts from 'texts:accessory';
import commonTexts from 'texts:common';
import { Box, Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ChartLine, HeartPulse, PencilRuler, ScanEye, Share2 } from 'lucide-react';
import { Link } from 'wouter';
import { graphql } from '../../api/graphql.ts';
import { useApiMutation } from '../../api/query.ts';
import { characteristicOf, serviceOf, textOf } from '../../devices/reading.ts';
import type { HomeAccessory } from '../../home/home-document.ts';
import { homeStore } from '../../home/home-store.ts';
import { useRights, useRooms } from '../../home/use-home.ts';
import { useWords } from '../../pickers/property-words.ts';
import { useTexts } from '../../texts/texts.ts';
import { ErrorNotice, Section } from '../../ui/page.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useRoomName } from '../rooms/room-name.ts';
import classes from './accessory-page.module.css';

const Rename = graphql(`
  mutation RenameAccessory($accessoryId: String!, $name: String) {
    renameAccessory(accessoryId: $accessoryId, name: $name) {
      id
    }
  }
`);

const Move = graphql(`
  mutation MoveAccessory($accessoryId: String!, $roomId: String!) {
    moveAccessory(accessoryId: $accessoryId, roomId: $roomId) {
      id
    }
  }
`);

const Identify = graphql(`
  mutation IdentifyAccessory($accessoryId: String!) {
    identifyAccessory(accessoryId: $accessoryId) {
      success
      error
      code
      reason
    }
  }
`);

const FACTS = ['manufacturer', 'model', 'serial_number', 'firmware_revision'] as const;

export function About({ accessory }: { readonly accessory: HomeAccessory }) {
  const t = useTexts(accessoryTexts);
  const { texts } = useWords();
  const { canManage, canControl } = useRights();
  const information = serviceOf(accessory, 'accessory_information');
  const isGroup = homeStore.isGroup(accessory.id);
  const canIdentify = canControl && characteristicOf(information, 'identify') !== undefined;
  const facts = FACTS.flatMap((fact) => {
    const value = textOf(information, fact);
    return value ? { fact, value } : [];
  });
  return (
    <Section title={t.about}>
      {canManage && !isGroup && <Naming accessory={accessory} />}
      {canManage && !isGroup && <Place accessory={accessory} />}
      {facts.length > 0 && (
        <Box component="dl" m={0}>
          {facts.map(({ fact, value }) => (
            <div key={fact} className={classes.fact}>
              <dt>{texts.properties[fact]}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </Box>
      )}
      <Stack gap={0} m="0 -8px">
        <Link href={`/history?accessory=${encodeURIComponent(accessory.id)}`} className={classes.link ?? ''}>
          <ChartLine aria-hidden size={20} />
          {t.history}
        </Link>
        {canManage && (
          <Link
            href={`/people/shares?new=${isGroup ? 'group' : 'accessory'}:${encodeURIComponent(accessory.id)}`}
            className={classes.link ?? ''}
          >
            <Share2 aria-hidden size={20} />
            {t.share}
          </Link>
        )}
        {canManage && (accessory.isVirtual || isGroup) && (
          <Link
            href={isGroup ? '/rooms' : `/virtual/${encodeURIComponent(accessory.id)}`}
            className={classes.link ?? ''}
          >
            <PencilRuler aria-hidden size={20} />
            {t.change}
          </Link>
        )}
        {canManage && !isGroup && !accessory.isVirtual && (
          <Link href={`/system/devices?of=${encodeURIComponent(accessory.id)}`} className={classes.link ?? ''}>
            <HeartPulse aria-hidden size={20} />
            {t.connection}
          </Link>
        )}
        {canIdentify && <IdentifyButton accessory={accessory} />}
      </Stack>
    </Section>
  );
}

function Naming({ accessory: { id, name } }: { readonly accessory: HomeAccessory }) {
  const t = useTexts(accessoryTexts);
  const common = useTexts(commonTexts);
  const form = useForm<{ name: string | undefined }>({ initialValues: { name: undefined } });
  const rename = useApiMutation(Rename, { subjects: ['inventory'], onDone: form.reset });
  const typed = form.values.name?.trim() || name;
  const isChanged = typed !== name;
  const save = () => {
    if (!isChanged) return;
    const undo = { label: common.undo, run: () => rename.mutate({ accessoryId: id, name }) };
    rename.mutate(
      { accessoryId: id, name: typed },
      { onSuccess: () => showToast({ text: t.renamed({ name: typed }), action: undo }) },
    );
  };
  return (
    <form onSubmit={form.onSubmit(save)}>
      <Group gap={8} align="flex-end">
        <TextInput
          label={common.name}
          maxLength={64}
          className={classes.field ?? ''}
          onKeyDown={({ key }) => key === 'Escape' && form.reset()}
          {...form.getInputProps('name')}
          value={form.values.name ?? name}
        />
        {isChanged && (
          <Button type="submit" loading={rename.isPending}>
            {common.rename}
          </Button>
        )}
        {rename.error && <ErrorNotice error={rename.error} />}
      </Group>
    </form>
  );
}

function Place({ accessory: { id, roomId } }: { readonly accessory: HomeAccessory }) {
  const t = useTexts(accessoryTexts);
  const common = useTexts(commonTexts);
  const rooms = useRooms();
  const roomName = useRoomName();
  const move = useApiMutation(Move, { subjects: ['inventory'] });
  const go = (next: string) => {
    const room = rooms.find((each) => each.id === next);
    if (!room) return;
    const undo = { label: common.undo, run: () => move.mutate({ accessoryId: id, roomId }) };
    move.mutate(
      { accessoryId: id, roomId: next },
      { onSuccess: () => showToast({ text: t.moved({ room: roomName(room) }), action: undo }) },
    );
  };
  return (
    <>
      <NativeSelect
        label={common.room}
        value={roomId}
        data={rooms.map((room) => ({ value: room.id, label: roomName(room) }))}
        onChange={({ currentTarget }) => go(currentTarget.value)}
      />
      {move.error && <ErrorNotice error={move.error} />}
    </>
  );
}

function IdentifyButton({ accessory: { id } }: { readonly accessory: HomeAccessory }) {
  const t = useTexts(accessoryTexts);
  const identify = useApiMutation(Identify, { subjects: [], onDone: () => showToast({ text: t.identified }) });
  return (
    <>
      <button
        type="button"
        className={classes.link}
        disabled={identify.isPending}
        onClick={() => identify.mutate({ accessoryId: id })}
      >
        <ScanEye aria-hidden size={20} />
        {t.identify}
      </button>
      {identify.error && <ErrorNotice error={identify.error} />}
    </>
  );
}
