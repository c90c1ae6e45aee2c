/** Adaptive lighting of the home and its rooms, for admins; lamps have a switch on their sheets. Applies at once. */

import settingsTexts from 'texts:settings';
import { NativeSelect, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ask } from '../../../api/client.ts';
import type { VariablesOf } from '../../../api/graphql.ts';
import { useApiQuery } from '../../../api/query.ts';
import { useHome, useRights } from '../../../home/use-home.ts';
import { useTexts } from '../../../texts/texts.ts';
import { attempt } from '../../../ui/attempt.ts';
import { useRoomName } from '../../rooms/room-name.ts';
import { SettingsSection } from '../settings-section.tsx';
import { COLDEST_KELVIN, type ColourChoice, colourChoices, pauseChoices, WARMEST_KELVIN } from './lighting.ts';
import { type Lighting, LightingQuery, SetRoomLighting, UpdateLighting } from './lighting-documents.ts';

export function LightingSection() {
  const t = useTexts(settingsTexts).lighting;
  const { id: homeId } = useHome();
  const { canManage } = useRights();
  const { data } = useApiQuery(LightingQuery, { homeId }, { subjects: ['inventory'], enabled: canManage });
  const lighting = data?.adaptiveLighting;
  if (!canManage || !lighting?.lamps?.length) return null;
  return (
    <SettingsSection id="lighting" title={t.title} lead={t.lead}>
      <HomeLighting lighting={lighting} />
      <RoomLightings lighting={lighting} />
    </SettingsSection>
  );
}

function HomeLighting({ lighting }: { readonly lighting: Lighting }) {
  const t = useTexts(settingsTexts).lighting;
  const { id: homeId } = useHome();
  const { enabled, warmest, coldest, wake, sleep, pauseHours } = lighting;
  const update = (changes: Omit<VariablesOf<typeof UpdateLighting>, 'homeId'>) =>
    void attempt(() => ask(UpdateLighting, { homeId, ...changes }), 'inventory');
  const colours = (choices: readonly ColourChoice[]) =>
    choices.map(({ mireds, kelvin }) => ({ value: String(mireds), label: t.kelvin({ kelvin }) }));
  return (
    <Stack>
      <Switch
        label={t.enabled}
        checked={enabled}
        onChange={({ currentTarget }) => update({ enabled: currentTarget.checked })}
      />
      <SimpleGrid minColWidth="min(100%, 240px)" spacing={16}>
        <TimeField label={t.wake} value={wake} onChange={(time) => update({ wake: time })} />
        <TimeField label={t.sleep} value={sleep} onChange={(time) => update({ sleep: time })} />
        <NativeSelect
          label={t.warmest}
          value={String(warmest)}
          data={colours(colourChoices(WARMEST_KELVIN, warmest))}
          onChange={({ currentTarget }) => update({ warmest: Number(currentTarget.value) })}
        />
        <NativeSelect
          label={t.coldest}
          value={String(coldest)}
          data={colours(colourChoices(COLDEST_KELVIN, coldest))}
          onChange={({ currentTarget }) => update({ coldest: Number(currentTarget.value) })}
        />
      </SimpleGrid>
      <NativeSelect
        label={t.pause}
        value={String(pauseHours ?? '')}
        data={[
          { value: '', label: t.untilOff },
          ...pauseChoices(pauseHours).map((count) => ({ value: String(count), label: t.hours({ count }) })),
        ]}
        onChange={({ currentTarget }) =>
          update({ pauseHours: currentTarget.value === '' ? null : Number(currentTarget.value) })
        }
      />
    </Stack>
  );
}

interface TimeFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (time: string) => void;
}

/** Applies when it is left: a time is typed in parts. */
function TimeField({ label, value, onChange }: TimeFieldProps) {
  const [{ before, draft }, setDraft] = useState({ before: value, draft: value });
  // It changed elsewhere.
  if (before !== value) setDraft({ before: value, draft: value });
  return (
    <TextInput
      type="time"
      label={label}
      value={draft}
      onChange={({ currentTarget }) => setDraft({ before: value, draft: currentTarget.value })}
      onBlur={() => {
        if (draft === '') setDraft({ before: value, draft: value });
        else if (draft !== value) onChange(draft);
      }}
    />
  );
}

/** The rooms that have such lamps. */
function RoomLightings({ lighting: { rooms, lamps } }: { readonly lighting: Lighting }) {
  const t = useTexts(settingsTexts).lighting;
  const { rooms: known, accessories } = useHome();
  const nameOf = useRoomName();
  const lampIds = new Set(lamps?.map((lamp) => lamp?.accessoryId));
  const lit = new Set(accessories.filter(({ id }) => lampIds.has(id)).map(({ roomId }) => roomId));
  return (
    <Stack>
      {known
        .filter(({ id }) => lit.has(id))
        .map((room) => (
          <NativeSelect
            key={room.id}
            label={nameOf(room)}
            value={rooms?.find((one) => one?.roomId === room.id)?.setting ?? 'inherit'}
            data={Object.entries(t.settings).map(([value, label]) => ({ value, label }))}
            onChange={({ currentTarget }) =>
              void attempt(() => ask(SetRoomLighting, { roomId: room.id, setting: currentTarget.value }), 'inventory')
            }
          />
        ))}
    </Stack>
  );
}
