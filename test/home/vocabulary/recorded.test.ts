import { describe, expect, it } from 'vitest';
import { characteristicByType, characteristicName } from '../../../src/hap-spec/characteristics.ts';
import { fullUuid } from '../../../src/hap-spec/uuid.ts';
import { bindingsOf } from '../../../src/home/vocabulary/bindings.ts';
import { resolveCharacteristic, resolveSetting } from '../../../src/home/vocabulary/settings.ts';
import { simplify } from '../../../src/home/vocabulary/simplify.ts';
import { parseValue, presentValue } from '../../../src/home/vocabulary/values.ts';
import { HearthError } from '../../../src/kernel/errors.ts';
import { recordedDatabases } from './builders.ts';

const databases = recordedDatabases();

describe('recorded databases of real products', () => {
  const accessories = databases.flatMap(({ file, accessories }) => accessories.map((one) => ({ file, one })));

  it('are all there', () => {
    expect(accessories.length).toBeGreaterThan(25);
  });

  it('have every characteristic reachable by name and by UUID, service by service', () => {
    for (const { file, one } of accessories) {
      for (const service of one.services) {
        for (const { type } of service.characteristics) {
          for (const spelling of [type, fullUuid(type).toLowerCase(), characteristicName(type)]) {
            const found = resolveCharacteristic(one, spelling, service.iid);
            expect(found.characteristic.type, `${file} ${spelling}`).toBe(type);
            expect(found.service).toBe(service);
          }
        }
      }
    }
  });

  it('show every characteristic that has a name and a value, but what describes the accessory', () => {
    for (const { file, one } of accessories) {
      const { properties, settable } = simplify(one, new Map());
      for (const { property, characteristic, isButton } of bindingsOf(one.services).list) {
        if (isButton || characteristic.value === null) continue;
        expect(properties, file).toHaveProperty(property);
      }
      const bound = new Set(bindingsOf(one.services).list.map(({ characteristic }) => characteristic));
      const left = one.services.flatMap((service) => service.characteristics.filter((c) => !bound.has(c)));
      const named = left.filter(({ type, format }) => characteristicByType(type) && format !== 'tlv8');
      const words = new Set(named.map(({ type }) => characteristicName(type)));
      for (const word of words) {
        expect(
          [
            'name',
            'manufacturer',
            'model',
            'serial_number',
            'firmware_revision',
            'hardware_revision',
            'identify',
            'software_revision',
            'accessory_flags',
            'label_namespace',
            'pairing_features',
            'version',
            'service_signature',
          ],
          `${file} ${word}`,
        ).toContain(word);
      }
      for (const word of Object.keys(properties)) {
        expect(['type', '_settable', 'name', 'group', 'accessories']).not.toContain(word);
        expect(properties[word]).not.toBeNull();
      }
      expect(new Set(settable).size).toBe(settable.length);
    }
  });

  it('take their own settable values back', () => {
    for (const { file, one } of accessories) {
      const { properties, settable } = simplify(one, new Map());
      for (const property of settable) {
        const { characteristic, value } = resolveSetting(one, property, properties[property]);
        const before = presentValue(characteristic);
        if (typeof value === 'number') expect(value, `${file} ${property}`).toBeCloseTo(Number(before), 0);
        else expect(value, `${file} ${property}`).toBe(before);
      }
    }
  });

  it('are shown and parsed without any error but ours', () => {
    for (const { one } of accessories) {
      for (const characteristic of one.services.flatMap((service) => service.characteristics)) {
        const shown = presentValue(characteristic);
        try {
          parseValue(characteristic, shown);
        } catch (error) {
          expect(error).toBeInstanceOf(HearthError);
        }
      }
    }
  });
});
