/** The home's location and time zone. There is no map, so no third party receives a request. */
import commonTexts from 'texts:common';
import groupsTexts from 'texts:groups';
import { Button, Group, NumberInput, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { type FormEvent, useMemo, useState } from 'react';
import { useApiMutation } from '../../api/query.ts';
import { useHome } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { askPosition, canAskPosition, type DevicePosition } from '../../ui/device-position.ts';
import { useLeaveGuard } from '../../ui/leave-guard.ts';
import { ErrorNotice, Section } from '../../ui/page.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { UpdateHome } from './home-documents.ts';

/** The relay’s default (`contract/home-place.ts`). */
const DEFAULT_RADIUS_M = 100;
const DIGITS = 5;

export function PlaceForm() {
  const t = useTexts(groupsTexts).settings;
  const common = useTexts(commonTexts);
  const inventory = useHome();
  const [latitude, setLatitude] = useState(inventory.latitude ?? undefined);
  const [longitude, setLongitude] = useState(inventory.longitude ?? undefined);
  const [radius, setRadius] = useState<number | undefined>(inventory.radius ?? DEFAULT_RADIUS_M);
  const [timeZone, setTimeZone] = useState(inventory.timeZone ?? '');
  const update = useApiMutation(UpdateHome, { subjects: ['house'], onDone: () => showToast({ text: t.saved }) });
  const isChanged =
    latitude !== (inventory.latitude ?? undefined) ||
    longitude !== (inventory.longitude ?? undefined) ||
    radius !== (inventory.radius ?? DEFAULT_RADIUS_M) ||
    timeZone !== (inventory.timeZone ?? '');
  useLeaveGuard(isChanged);
  const hasPlace = latitude !== undefined && longitude !== undefined;
  const save = (event: FormEvent) => {
    event.preventDefault();
    const location = hasPlace ? { latitude, longitude, radius: radius ?? DEFAULT_RADIUS_M } : undefined;
    update.mutate({ homeId: inventory.id, timeZone, ...(location && { location }) });
  };
  return (
    <Section title={t.place} lead={t.placeText}>
      <form onSubmit={save}>
        <Stack>
          <SimpleGrid minColWidth="min(100%, 160px)" autoFlow="auto-fit" spacing={12}>
            <Degrees label={t.latitude} most={90} value={latitude} onChange={setLatitude} />
            <Degrees label={t.longitude} most={180} value={longitude} onChange={setLongitude} />
          </SimpleGrid>
          <Text c="dimmed" fz="sm" mt={-8}>
            {t.degrees}
          </Text>
          <UseHere
            onPlace={(place) => {
              setLatitude(place.latitude);
              setLongitude(place.longitude);
            }}
          />
          <NumberInput
            label={t.radius}
            value={radius ?? ''}
            min={20}
            max={50_000}
            step={50}
            onChange={(next) => setRadius(typeof next === 'number' ? next : undefined)}
          />
          <ZoneSelect value={timeZone} onChange={setTimeZone} />
          {update.error && <ErrorNotice error={update.error} />}
          <Group>
            <Button type="submit" loading={update.isPending}>
              {common.save}
            </Button>
            {inventory.latitude !== null && (
              <Button variant="default" onClick={() => update.mutate({ homeId: inventory.id, location: '' })}>
                {t.forget}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

interface DegreesProps {
  readonly label: string;
  readonly most: number;
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
}

function Degrees({ label, most, value, onChange }: DegreesProps) {
  return (
    <NumberInput
      label={label}
      value={value ?? ''}
      min={-most}
      max={most}
      decimalScale={DIGITS}
      hideControls
      onChange={(next) => onChange(typeof next === 'number' ? next : undefined)}
    />
  );
}

interface UseHereProps {
  readonly onPlace: (place: DevicePosition) => void;
}

function UseHere({ onPlace }: UseHereProps) {
  const t = useTexts(groupsTexts).settings;
  const [isBusy, setBusy] = useState(false);
  if (!canAskPosition())
    return (
      <Text c="dimmed" fz="sm" mt={-8}>
        {t.noSecure}
      </Text>
    );
  const find = async () => {
    setBusy(true);
    const answer = await askPosition();
    setBusy(false);
    if (typeof answer === 'string') showToast({ tone: 'bad', text: t.noPosition[answer] });
    else onPlace(answer);
  };
  return (
    <Group>
      <Button variant="default" loading={isBusy} onClick={() => void find()}>
        {t.useHere}
      </Button>
    </Group>
  );
}

const OWN_ZONE = '';

interface ZoneSelectProps {
  readonly value: string;
  readonly onChange: (zone: string) => void;
}

function ZoneSelect({ value, onChange }: ZoneSelectProps) {
  const t = useTexts(groupsTexts).settings;
  const zones = useMemo(() => {
    const known = Intl.supportedValuesOf('timeZone');
    const all = value && !known.includes(value) ? [value, ...known] : known;
    return [
      { value: 'own', label: t.ownZone },
      ...all.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
    ];
  }, [value, t]);
  return (
    <Select
      label={t.zone}
      searchable
      allowDeselect={false}
      data={zones}
      value={value === OWN_ZONE ? 'own' : value}
      onChange={(zone) => onChange(zone === 'own' || zone === null ? OWN_ZONE : zone)}
      maxDropdownHeight={280}
      // Input searches for another zone and does not extend the current name.
      onClick={({ currentTarget }) => currentTarget.select()}
    />
  );
}
