/** Every thing of a home as a HomeKit accessory, or why HomeKit has nothing for it. */
import type { PublicationRemarkCode } from '../../../contract/publications.ts';
import { CHARACTERISTIC } from '../../../hap-spec/characteristics.ts';
import { membersOf } from '../../../home/group-accessory.ts';
import type { HomeState } from '../../../home/home-state.ts';
import type { Accessory, VirtualType } from '../../../home/model.ts';
import { remark } from '../remarks.ts';
import type { Thing } from '../thing.ts';
import { describeDevice, isFromHearthd, shapeOf } from './describe-device.ts';
import { informationService, ownInformation, service, switchService } from './information.ts';
import type { CharacteristicSource, Described, ServiceTemplate } from './template.ts';

/** Apple Home lists the switches of one accessory one below the other. */
const MAX_OPTIONS = 20;
/** HAP category: switch. */
const SWITCH_CATEGORY = 8;

const NO_HOMEKIT: Readonly<Partial<Record<VirtualType, PublicationRemarkCode>>> = {
  counter: 'apple_home_counter',
  input_number: 'apple_home_number',
  input_text: 'apple_home_text',
  input_datetime: 'apple_home_datetime',
};

export function describeThing(thing: Thing, state: HomeState): Described {
  switch (thing.kind) {
    case 'accessory':
      return thing.accessory.virtual === null
        ? describeDevice(thing.accessory, state)
        : describeVirtual(thing.accessory, thing.accessory.virtual.virtualType);
    case 'group':
      return describeGroup(thing, state);
    case 'scene':
      return {
        ...asSwitch(thing.name),
        services: [
          informationService(ownInformation(thing.name, 'Scene', thing.id), null),
          switchService('scene', { kind: 'scene', sceneId: thing.id }),
        ],
      };
  }
}

function asSwitch(name: string) {
  return { name, publishedAs: 'switch', category: SWITCH_CATEGORY, standsAlone: false, note: null };
}

function describeVirtual(accessory: Accessory, virtualType: VirtualType): Described {
  const { id, name } = accessory;
  const reason = NO_HOMEKIT[virtualType];
  const source = sourceOf(accessory);
  if (reason !== undefined || !source) return { reason: remark(reason ?? 'apple_home_nothing') };
  const services = switchesOf(accessory, source);
  if (!services) return { reason: remark('too_many_options', { limit: MAX_OPTIONS }) };
  const information = informationService(ownInformation(name, MODELS[virtualType] ?? virtualType, id), null);
  return { ...asSwitch(name), services: [information, ...withPermissions(accessory, services)] };
}

const MODELS: Readonly<Partial<Record<VirtualType, string>>> = {
  input_boolean: 'Virtual switch',
  input_select: 'Mode',
  timer: 'Timer',
};

/** @returns `undefined` for too many options */
function switchesOf({ virtual }: Accessory, source: CharacteristicSource): readonly ServiceTemplate[] | undefined {
  switch (virtual?.virtualType) {
    case 'timer':
      return [switchService('timer', { ...source, kind: 'word', on: 'active', off: 'idle' })];
    case 'input_select': {
      const { options } = virtual;
      if (options.length > MAX_OPTIONS) return undefined;
      return options.map((option) =>
        switchService(`option ${option}`, { ...source, kind: 'word', on: option, off: null }, option),
      );
    }
    default:
      return [switchService('switch', source)];
  }
}

/** One that people may not operate can only be read. */
function withPermissions({ virtual }: Accessory, services: readonly ServiceTemplate[]): readonly ServiceTemplate[] {
  if (virtual?.controllable !== false) return services;
  return services.map((one) => ({
    ...one,
    characteristics: one.characteristics.map((characteristic) => ({
      ...characteristic,
      shape: {
        ...characteristic.shape,
        permissions: characteristic.shape.permissions.filter((permission) => permission !== 'pw'),
      },
    })),
  }));
}

/** The characteristic with the value of a virtual accessory. */
function sourceOf({ id, services }: Accessory): CharacteristicSource | undefined {
  for (const { iid: serviceIid, characteristics } of services) {
    const value = characteristics.find(({ type, permissions }) => isValue(type) && permissions.includes('ev'));
    if (value) return { kind: 'characteristic', accessoryId: id, serviceIid, iid: value.iid, type: value.type };
  }
  return undefined;
}

const VALUE_TYPES: readonly string[] = [
  CHARACTERISTIC.powerState,
  CHARACTERISTIC.virtualMode,
  CHARACTERISTIC.virtualTimer,
];

function isValue(type: string): boolean {
  return VALUE_TYPES.includes(type);
}

function describeGroup({ id, name, group, accessory }: Extract<Thing, { kind: 'group' }>, state: HomeState): Described {
  const [combined] = accessory?.services ?? [];
  if (!accessory || !combined) return { reason: remark('members_missing') };
  if (membersOf(group, state).some((member) => isFromHearthd(member.accessory, state))) {
    return { reason: remark('member_from_hearthd') };
  }
  const characteristics = combined.characteristics.flatMap((characteristic) => {
    const shape = shapeOf(characteristic);
    return shape ? [{ shape, source: { kind: 'group' as const, groupId: id, type: characteristic.type } }] : [];
  });
  return {
    name,
    publishedAs: group.kind,
    category: accessory.category,
    standsAlone: false,
    note: null,
    services: [
      informationService(ownInformation(name, 'Service group', id), null),
      service(combined.type, `group ${combined.type}`, characteristics),
    ],
  };
}
