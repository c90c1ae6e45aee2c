/** Further fields of a virtual accessory (wire-facts §7); null for a device, and if its kind has no such field. */
import { VirtualFields } from '../../contract/virtual-accessories.ts';
import { presentVirtual } from '../present/accessory.ts';
import { PlatformAccessory } from './accessory-types.ts';
import type { AccessoryView } from './accessory-views.ts';
import { builder } from './builder.ts';
import type { GraphqlContext } from './context.ts';
import { fieldsOf } from './contract-fields.ts';

type Name = keyof VirtualFields;
const FIELDS = VirtualFields.omit({ isVirtual: true }).partial();

function detail<Key extends Name>(name: Key) {
  return ({ accessory }: AccessoryView, _: object, { deps }: GraphqlContext): VirtualFields[Key] | null => {
    const details = deps.virtuals.describe(accessory);
    return details && (presentVirtual(details)[name] ?? null);
  };
}

builder.objectFields(PlatformAccessory, (t) => ({
  isVirtual: t.boolean({
    nullable: false,
    description: 'Whether it was made up here, without a device. The fields below are null for a device.',
    resolve: ({ accessory }) => accessory.virtual !== null,
  }),
  ...fieldsOf(t, FIELDS, [], Object.fromEntries(Object.keys(FIELDS.shape).map((name) => [name, detail(name as Name)]))),
  virtualConfig: t.field({
    type: 'JSON',
    description: 'How it was set up, as an object.',
    resolve: detail('virtualConfig'),
  }),
}));
