/** What the accessory is, its name and room, and what is rarely needed: closed until someone looks for it. */
import accessoryTexts from 'texts:accessory';
import commonTexts from 'texts:common';
import { Box, Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ChevronDown, HeartPulse, PencilRuler, ScanEye, Settings, Share2 } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Link } from 'wouter';
import { MAX_NAME_LENGTH } from '../../../../home/vocabulary/limits.ts';
import { graphql } from '../../api/graphql.ts';
import { useApiMutation } from '../../api/query.ts';
import { useDeviceIcon } from '../../devices/icons/device-icon.ts';
import { characteristicOf, numberOf, serviceOf, textOf } from '../../devices/reading.ts';
import type { HomeAccessory } from '../../home/home-document.ts';
import { homeStore } from '../../home/home-store.ts';
import { useRights, useRooms } from '../../home/use-home.ts';
import { useWords } from '../../pickers/property-words.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { ErrorNotice } from '../../ui/page.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useRoomName } from '../rooms/room-name.ts';
import classes from './accessory-page.module.css';
import { AllServices } from './all-services.tsx';
import { NotifySection } from './notify-section.tsx';

const IconPicker = lazy(async () => ({ default: (await import('../../devices/icons/icon-picker.tsx')).IconPicker }));

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

export function Details({ accessory }: { readonly accessory: HomeAccessory }) {
  const t = useTexts(accessoryTexts);
  const { canManage } = useRights();
  return (
    <details className={classes.details}>
      <summary>
        <Settings aria-hidden size={20} />
        <h2>{t.details}</h2>
        <ChevronDown aria-hidden size={20} />
      </summary>
      <About accessory={accessory} />
      {canManage && !homeStore.isGroup(accessory.id) && <NotifySection accessory={accessory} />}
      <AllServices accessory={accessory} />
    </details>
  );
}

function About({ accessory }: { readonly accessory: HomeAccessory }) {
  const t = useTexts(accessoryTexts);
  const { canManage, canControl } = useRights();
  const information = serviceOf(accessory, 'accessory_information');
  const isGroup = homeStore.isGroup(accessory.id);
  const canIdentify = canControl && characteristicOf(information, 'identify') !== undefined;
  const facts = useFacts(accessory);
  return (
    <div className={classes.about}>
      {canManage && !isGroup && <Naming accessory={accessory} />}
      {canManage && !isGroup && <Place accessory={accessory} />}
      {facts.length > 0 && (
        <Box component="dl" m={0}>
          {facts.map(({ label, value }) => (
            <div key={label} className={classes.fact}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </Box>
      )}
      <Stack gap={0} m="0 -8px">
        {canManage && <IconRow accessory={accessory} />}
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
    </div>
  );
}

function IconRow({ accessory }: { readonly accessory: HomeAccessory }) {
  const t = useTexts(accessoryTexts);
  const Icon = useDeviceIcon(accessory);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={classes.link} onClick={() => setOpen(true)}>
        <Icon aria-hidden size={20} />
        {t.icon}
      </button>
      {isOpen && (
        <Suspense>
          <IconPicker accessoryId={accessory.id} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

interface DetailRow {
  readonly label: string;
  readonly value: ReactNode;
}

/** Facts that the device does not report are left out. */
function useFacts(accessory: HomeAccessory): readonly DetailRow[] {
  const t = useTexts(accessoryTexts);
  const format = useFormat();
  const { texts } = useWords();
  const information = serviceOf(accessory, 'accessory_information');
  const numbered = (type: string) =>
    accessory.services.map((service) => numberOf(service, type)).find((value) => value !== undefined);
  const [signal, battery] = [numbered('received_signal_strength_indication'), numbered('battery_level')];
  const since = accessory.lastSeenAt && <TimeAgo at={accessory.lastSeenAt} />;
  return [
    ...FACTS.flatMap((fact) => {
      const value = textOf(information, fact);
      return value ? { label: texts.properties[fact], value } : [];
    }),
    ...(signal === undefined ? [] : [{ label: t.signal, value: `${format.number(signal)} dBm` }]),
    ...(battery === undefined ? [] : [{ label: t.battery, value: format.percent(battery) }]),
    ...(since && !accessory.isVirtual ? [{ label: t.seen, value: since }] : []),
  ];
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
          maxLength={MAX_NAME_LENGTH}
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
