/** The home's location and time zone. There is no map, so no third party receives a request. */
import commonTexts from 'texts:common';
import groupsTexts from 'texts:groups';
import townTexts from 'texts:towns';
import { Button, Group, NumberInput, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useMemo, useState } from 'react';
import { DEFAULT_RADIUS_M, RADIUS_M } from '../../../../../home/vocabulary/limits.ts';
import { useApiMutation } from '../../../api/query.ts';
import { useHome } from '../../../home/use-home.ts';
import { TownInput, useTowns } from '../../../pickers/towns/town-input.tsx';
import { townAt } from '../../../pickers/towns/towns.ts';
import { useTexts } from '../../../texts/texts.ts';
import { askPosition, canAskPosition, type DevicePosition } from '../../../ui/device-position.ts';
import { useLeaveGuard } from '../../../ui/leave-guard.ts';
import { ErrorNotice } from '../../../ui/page.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { SettingsSection } from '../settings-section.tsx';
import { UpdateHome } from './home-documents.ts';

const DIGITS = 5;
const HINT_BELOW: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

/** An empty number field is an empty text. */
interface PlaceValues {
  readonly latitude: number | string;
  readonly longitude: number | string;
  readonly radius: number | string;
  readonly timeZone: string;
}

export function PlaceSection() {
  const t = useTexts(groupsTexts).settings;
  const { id, latitude, longitude, radius, timeZone } = useHome();
  return (
    <SettingsSection id="place" title={t.place} lead={t.placeText}>
      <PlaceForm key={[id, latitude, longitude, radius, timeZone].join()} />
    </SettingsSection>
  );
}

function PlaceForm() {
  const t = useTexts(groupsTexts).settings;
  const common = useTexts(commonTexts);
  const inventory = useHome();
  const form = useForm<PlaceValues>({
    initialValues: {
      latitude: inventory.latitude ?? '',
      longitude: inventory.longitude ?? '',
      radius: inventory.radius ?? DEFAULT_RADIUS_M,
      timeZone: inventory.timeZone ?? '',
    },
  });
  const update = useApiMutation(UpdateHome, { subjects: ['inventory'], onDone: () => showToast({ text: t.saved }) });
  useLeaveGuard(form.isDirty());
  const townWords = useTexts(townTexts);
  const towns = useTowns();
  const [areTyped, setTyped] = useState(inventory.latitude !== null);
  const { latitude: north, longitude: east } = form.values;
  const town = towns && north !== '' ? townAt(towns, Number(north), Number(east)) : undefined;
  const save = ({ latitude, longitude, radius, timeZone }: PlaceValues) => {
    const hasPlace = typeof latitude === 'number' && typeof longitude === 'number';
    const location = hasPlace ? { latitude, longitude, radius: Number(radius || DEFAULT_RADIUS_M) } : undefined;
    update.mutate({ homeId: inventory.id, timeZone, ...(location && { location }) });
  };
  return (
    <form onSubmit={form.onSubmit(save)}>
      <Stack>
        <TownInput
          towns={towns}
          value={town}
          onChange={({ latitude, longitude, timeZone }) => form.setValues({ latitude, longitude, timeZone })}
        />
        {areTyped || towns === null ? (
          <Coordinates form={form} />
        ) : (
          <div>
            <Button variant="subtle" onClick={() => setTyped(true)}>
              {townWords.coordinates}
            </Button>
          </div>
        )}
        <UseHere
          onPlace={(place) => {
            setTyped(true);
            form.setValues(place);
          }}
        />
        <NumberInput
          label={t.radius}
          min={RADIUS_M.from}
          max={RADIUS_M.to}
          step={50}
          {...form.getInputProps('radius')}
        />
        <ZoneSelect value={form.values.timeZone} onChange={(zone) => form.setFieldValue('timeZone', zone)} />
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
  );
}

function Coordinates({ form }: { readonly form: UseFormReturnType<PlaceValues> }) {
  const t = useTexts(groupsTexts).settings;
  const degrees = { decimalScale: DIGITS, hideControls: true, inputWrapperOrder: HINT_BELOW };
  return (
    <SimpleGrid minColWidth="min(100%, 130px)" autoFlow="auto-fit" spacing={12}>
      <NumberInput
        {...degrees}
        label={t.latitude}
        description={t.latitudeHint}
        min={-90}
        max={90}
        {...form.getInputProps('latitude')}
      />
      <NumberInput
        {...degrees}
        label={t.longitude}
        description={t.longitudeHint}
        min={-180}
        max={180}
        {...form.getInputProps('longitude')}
      />
    </SimpleGrid>
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
