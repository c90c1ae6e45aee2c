/**
 * Selects an accessory, by room and with search, and one of its properties; the most important property is preselected.
 */
import pickerTexts from 'texts:pickers';
import { NativeSelect, Select, SimpleGrid } from '@mantine/core';
import { useMemo } from 'react';
import type { HomeInventory, HomeRoom } from '../home/home-document.ts';
import { useHome } from '../home/use-home.ts';
import { useNamedRooms } from '../pages/rooms/room-name.ts';
import { useFormat } from '../texts/format.ts';
import { useTexts } from '../texts/texts.ts';
import { findTarget, type Property, type PropertyRef, propertiesOf, targetsOf } from './property.ts';
import { type PickerTexts, propertyName } from './property-words.ts';

interface AccessoryPropertyPickerProps {
  readonly label?: string | undefined;
  readonly error?: string | undefined;
  readonly value: PropertyRef | undefined;
  readonly onChange: (ref: PropertyRef) => void;
  /** The properties on offer; all if left out. */
  readonly filter?: (property: Property) => boolean;
  /** Includes service groups, whose id is given as the accessory's. */
  readonly groups?: boolean;
}

const ALL = () => true;

export function AccessoryPropertyPicker({
  label,
  error,
  value,
  onChange,
  filter = ALL,
  groups = false,
}: AccessoryPropertyPickerProps) {
  const t = useTexts(pickerTexts);
  const inventory = useHome();
  const rooms = useNamedRooms();
  const { compare } = useFormat();
  const data = useMemo(
    () => accessoriesByRoom(inventory, rooms, filter, groups, value?.accessoryId, t, compare),
    [inventory, rooms, filter, groups, value?.accessoryId, t, compare],
  );
  const properties = value ? matching(inventory, value.accessoryId, filter) : [];
  return (
    <SimpleGrid minColWidth="min(100%, 220px)" autoFlow="auto-fit" spacing={12} style={{ alignItems: 'start' }}>
      <Select
        label={label ?? t.accessory}
        placeholder={t.chooseAccessory}
        error={error}
        searchable
        allowDeselect={false}
        nothingFoundMessage={t.noMatch}
        value={value?.accessoryId ?? null}
        data={data}
        onChange={(id) => {
          const [first] = id ? matching(inventory, id, filter) : [];
          if (first) onChange({ accessoryId: first.accessoryId, characteristicType: first.characteristicType });
        }}
      />
      {value && (
        <NativeSelect
          label={t.property}
          value={value.characteristicType}
          data={withOwn(properties, value, t)}
          onChange={({ currentTarget }) =>
            onChange({ accessoryId: value.accessoryId, characteristicType: currentTarget.value })
          }
        />
      )}
    </SimpleGrid>
  );
}

/** The accessory's main function comes first; batteries last. */
function matching(
  inventory: HomeInventory,
  accessoryId: string,
  filter: (property: Property) => boolean,
): readonly Property[] {
  const accessory = findTarget(inventory, accessoryId);
  const rank = ({ service }: Property) => (service.type === 'battery' ? 2 : service.isPrimary ? 0 : 1);
  return accessory
    ? propertiesOf(accessory)
        .filter(filter)
        .toSorted((a, b) => rank(a) - rank(b))
    : [];
}

/** A property that an automation uses stays listed, even if the accessory has lost it. */
function withOwn(properties: readonly Property[], value: PropertyRef, t: PickerTexts) {
  const options = properties.map((property) => ({ value: property.characteristicType, label: labelOf(property, t) }));
  if (options.some((option) => option.value === value.characteristicType)) return options;
  return [...options, { value: value.characteristicType, label: propertyName(value.characteristicType, t) }];
}

export function labelOf({ characteristic, characteristicType, service, isNumbered }: Property, t: PickerTexts): string {
  if (!isNumbered || !service.name) return propertyName(characteristicType, t);
  return t.ofService({ property: propertyName(characteristic.type, t), service: service.name });
}

interface RoomOfAccessories {
  readonly group: string;
  readonly items: { readonly value: string; readonly label: string }[];
}

function accessoriesByRoom(
  inventory: HomeInventory,
  rooms: readonly HomeRoom[],
  filter: (property: Property) => boolean,
  groups: boolean,
  current: string | undefined,
  t: PickerTexts,
  compare: (a: string, b: string) => number,
): RoomOfAccessories[] {
  const groupIds = new Set(inventory.serviceGroups.map(({ id }) => id));
  const isOffered = (accessory: HomeInventory['accessories'][number]) =>
    accessory.id === current || propertiesOf(accessory).some(filter);
  const offered = targetsOf(inventory).filter((target) => (groups || !groupIds.has(target.id)) && isOffered(target));
  const sections = new Map<string, { value: string; label: string }[]>();
  for (const { id, name, roomId } of offered) {
    const room = rooms.find((one) => one.id === roomId)?.name ?? t.noRoom;
    const section = groupIds.has(id) ? t.groups : room;
    sections.set(section, [...(sections.get(section) ?? []), { value: id, label: name }]);
  }
  if (current !== undefined && !findTarget(inventory, current)) {
    sections.set('', [{ value: current, label: t.goneAccessory }]);
  }
  return [...sections]
    .toSorted(([a], [b]) => compare(a, b))
    .map(([group, items]) => ({ group, items: items.toSorted((a, b) => compare(a.label, b.label)) }));
}
