/** Accessories, their services and characteristics as types: the fields of `accessory-views.ts`, with descriptions. */
import type { AccessoryView, CharacteristicView, ServiceView } from './accessory-views.ts';
import { builder, LIST } from './builder.ts';

const PlatformCharacteristic = builder.objectRef<CharacteristicView>('PlatformCharacteristic').implement({
  description: 'One characteristic of a service, with the value that its device reported last.',
  fields: (t) => ({
    id: t.exposeString('id', { nullable: false, description: '`<accessory id>.<iid>`.' }),
    type: t.exposeString('type', {
      nullable: false,
      description: 'Its name in snake_case, such as `power_state` or `current_temperature`; a UUID for a maker’s own.',
    }),
    characteristicType: t.exposeString('type', { nullable: false, description: 'The same as `type`.' }),
    value: t.expose('value', {
      type: 'JSON',
      description: 'true, false, a number or text, in the characteristic’s `unit`; null where nothing is known.',
    }),
    description: t.exposeString('description', { description: 'What its maker calls it.' }),
    format: t.exposeString('format', {
      description:
        '`bool`, `uint8`, `uint16`, `uint32`, `uint64`, `int`, `float`, `string`, `tlv8`, `data` or `unknown`.',
    }),
    unit: t.exposeString('unit', {
      description:
        '`celsius`, `percentage`, `arcdegrees`, `lux` or `seconds`; color temperatures are in mireds, without one.',
    }),
    minValue: t.exposeFloat('minValue', { description: 'The least value that the device takes.' }),
    maxValue: t.exposeFloat('maxValue', { description: 'The greatest value that the device takes.' }),
    minStep: t.exposeFloat('minStep', { description: 'What values are rounded to.' }),
    stepValue: t.exposeFloat('minStep', { description: 'The same as `minStep`.' }),
    validValues: t.exposeStringList('validValues', {
      nullable: LIST,
      description: 'The only values that the device takes, where it names them.',
    }),
    canRead: t.exposeBoolean('canRead', { nullable: false, description: 'Whether it has a value to read.' }),
    canWrite: t.exposeBoolean('canWrite', { nullable: false, description: 'Whether it can be set.' }),
    isReadable: t.exposeBoolean('canRead', { nullable: false, description: 'The same as `canRead`.' }),
    isWritable: t.exposeBoolean('canWrite', { nullable: false, description: 'The same as `canWrite`.' }),
  }),
});

const PlatformService = builder.objectRef<ServiceView>('PlatformService').implement({
  description: 'A service of an accessory: a lightbulb, one outlet of a strip, a battery.',
  fields: (t) => ({
    id: t.exposeString('id', {
      nullable: false,
      description: '`<accessory id>.<iid>`; service groups are made of these.',
    }),
    type: t.exposeString('type', {
      nullable: false,
      description: 'Its name in snake_case: `lightbulb`, `garage_door` …',
    }),
    serviceType: t.exposeString('type', { nullable: false, description: 'The same as `type`.' }),
    name: t.exposeString('name', { description: 'What it calls itself, as its owner or its maker named it.' }),
    isPrimary: t.exposeBoolean('isPrimary', {
      nullable: false,
      description: 'Whether it is what the accessory is for.',
    }),
    isHidden: t.exposeBoolean('isHidden', {
      nullable: false,
      description: 'Whether its maker wants it not to be shown.',
    }),
    linkedServices: t.exposeStringList('linkedServices', {
      nullable: false,
      description: 'The ids of services that belong to this one.',
    }),
    characteristics: t.expose('characteristics', {
      type: [PlatformCharacteristic],
      nullable: false,
      description: 'All its characteristics, as the device lists them.',
    }),
  }),
});

export const PlatformAccessory = builder.objectRef<AccessoryView>('PlatformAccessory').implement({
  description: 'An accessory: a device, one device behind a bridge, or a virtual one.',
  fields: (t) => ({
    id: t.exposeString('id', {
      nullable: false,
      description: 'A UUID; the same after the device is paired again.',
    }),
    name: t.exposeString('name', { nullable: false, description: 'As its owner named it, else as it names itself.' }),
    homeId: t.exposeString('homeId', { nullable: false, description: 'The home that it is in.' }),
    roomId: t.exposeString('roomId', {
      nullable: false,
      description: 'The room that it is in, if only the default one.',
    }),
    roomName: t.exposeString('roomName', { description: 'The name of that room.' }),
    type: t.exposeString('type', {
      nullable: false,
      description:
        'The device type as REST gives it: `light`, `switch`, `climate`, `lock`, `input_number` … or `other`.',
    }),
    category: t.exposeString('category', { description: 'The title of its HAP category: Lightbulb, Switch, Sensor …' }),
    reachable: t.exposeBoolean('reachable', {
      nullable: false,
      description: 'Whether it answers. Writes fail while it does not.',
    }),
    isReachable: t.exposeBoolean('reachable', { nullable: false, description: 'The same as `reachable`.' }),
    deviceId: t.exposeString('deviceId', {
      nullable: false,
      description: 'The accessory server that it came with: a HAP device id, or `virtual:` and a UUID.',
    }),
    aid: t.exposeString('aid', { nullable: false, description: 'Its HAP accessory id there, as digits.' }),
    lastSeenAt: t.exposeString('lastSeenAt', { description: 'When it was last heard from, ISO 8601 in UTC.' }),
    vanishedAt: t.exposeString('vanishedAt', {
      description: 'When its bridge ceased to list it, ISO 8601; null while it is there. It is kept for 30 days.',
    }),
    services: t.expose('services', {
      type: [PlatformService],
      nullable: false,
      description: 'All its services, as the device lists them.',
    }),
  }),
});
