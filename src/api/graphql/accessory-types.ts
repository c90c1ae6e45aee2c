/** Accessories, their services and characteristics as types: the contract's fields, of `accessory-views.ts`. */
import { Accessory, Characteristic, Service } from '../../contract/accessories.ts';
import { VirtualFields } from '../../contract/virtual-accessories.ts';
import type { AccessoryView, CharacteristicView, ServiceView } from './accessory-views.ts';
import { builder, LIST } from './builder.ts';
import { fieldsOf } from './contract-fields.ts';

const PlatformCharacteristic = builder.objectRef<CharacteristicView>('PlatformCharacteristic').implement({
  description: 'One characteristic of a service, with the value that its device reported last.',
  fields: (t) => ({
    ...fieldsOf(t, Characteristic.omit({ validValues: true }), ['format'], {
      characteristicType: ({ type }: CharacteristicView) => type,
      stepValue: ({ minStep }) => minStep,
      isReadable: ({ canRead }) => canRead,
      isWritable: ({ canWrite }) => canWrite,
    }),
    value: t.expose('value', {
      type: 'JSON',
      description: 'true, false, a number or text, in the characteristic’s `unit`; null where nothing is known.',
    }),
    validValues: t.exposeStringList('validValues', {
      nullable: LIST,
      description: 'The only values that the device takes, where it names them.',
    }),
  }),
});

const PlatformService = builder.objectRef<ServiceView>('PlatformService').implement({
  description: 'A service of an accessory: a lightbulb, one outlet of a strip, a battery.',
  fields: (t) => ({
    ...fieldsOf(t, Service, [], { serviceType: ({ type }: ServiceView) => type }),
    characteristics: t.expose('characteristics', {
      type: [PlatformCharacteristic],
      nullable: false,
      description: 'All its characteristics, as the device lists them.',
    }),
  }),
});

/** The fields of devices too; `virtual-fields.ts` adds the others. */
const ofDevices = Accessory.omit(
  Object.fromEntries(Object.keys(VirtualFields.shape).map((name) => [name, true])) as Record<
    keyof typeof VirtualFields.shape,
    true
  >,
);

export const PlatformAccessory = builder.objectRef<AccessoryView>('PlatformAccessory').implement({
  description: 'An accessory: a device, one device behind a bridge, or a virtual one.',
  fields: (t) => ({
    ...fieldsOf(t, ofDevices, ['roomName', 'category'], { isReachable: ({ reachable }: AccessoryView) => reachable }),
    services: t.expose('services', {
      type: [PlatformService],
      nullable: false,
      description: 'All its services, as the device lists them.',
    }),
  }),
});
