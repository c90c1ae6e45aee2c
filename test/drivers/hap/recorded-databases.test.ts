import { describe, expect, it } from 'vitest';
import { presentAccessory } from '../../../src/api/present/accessory.ts';
import { toHome } from '../../../src/drivers/hap/to-home.ts';
import { parseAccessories } from '../../../src/drivers/hap/wire/accessory-database.ts';
import { normalizeValue } from '../../../src/drivers/hap/wire/characteristic-values.ts';
import { CHARACTERISTIC } from '../../../src/hap-spec/characteristics.ts';
import { canonicalType } from '../../../src/hap-spec/uuid.ts';
import type { Characteristic, Service } from '../../../src/home/model.ts';
import { listRecorded, readRecorded } from '../../support/accessories/sample-databases.ts';
import type { CharacteristicJson, ServiceJson } from '../../support/accessories/served-database.ts';
import { createTestHome } from '../../support/test-home.ts';

const SOURCE = 'AA:BB:CC:DD:EE:FF';
const ids = (list: unknown): string[] => (Array.isArray(list) ? list.map(String) : []);

/** What the device reported of a characteristic, in the home's terms; omitted parts are omitted here too. */
function wanted(raw: CharacteristicJson): object {
  const format = (raw.format ?? 'unknown') as Characteristic['format'];
  const { minValue, maxValue, minStep, unit } = raw;
  const description = String(raw.description ?? '').trim();
  return JSON.parse(
    JSON.stringify({
      iid: String(raw.iid),
      type: canonicalType(String(raw.type)),
      format,
      permissions: ids(raw.perms).sort(),
      minValue,
      maxValue,
      minStep,
      unit,
      maxLength: raw.maxLen,
      validValues: raw['valid-values'],
      description: description || undefined,
      value: normalizeValue(format, raw.value as string),
    }),
  );
}

function wantedService(raw: ServiceJson): object {
  return {
    iid: String(raw.iid),
    type: canonicalType(String(raw.type)),
    primary: Boolean(raw.primary),
    hidden: Boolean(raw.hidden),
    linked: ids(raw.linked),
    characteristics: raw.characteristics.map(wanted),
  };
}

/** Without what the relay adds to lamps that can follow the day. */
function ofDevice({ characteristics }: Service): readonly Characteristic[] {
  return characteristics.filter(({ type }) => type !== CHARACTERISTIC.adaptiveLighting);
}

function got(service: Service): object {
  const characteristics = ofDevice(service).map((characteristic) => ({
    ...characteristic,
    permissions: [...characteristic.permissions].sort(),
  }));
  return { ...service, characteristics };
}

describe('recorded accessory databases, from their text to what REST shows', () => {
  it.each(listRecorded())('%s loses nothing on the way', (name) => {
    const recorded = readRecorded(name);
    const database = parseAccessories(JSON.stringify({ accessories: recorded }));
    expect(database.map(({ aid }) => aid)).toEqual(recorded.map(({ aid }) => String(aid)));
    for (const [at, { services }] of database.entries()) {
      expect(services.map(got)).toEqual(recorded[at]?.services.map(wantedService));
    }

    const home = createTestHome();
    home.registry.describe(home.home.id, SOURCE, toHome(database, { name, category: 1 }));
    for (const { aid, services } of database) {
      const characteristics = services.flatMap((service) => service.characteristics);
      home.registry.report(
        SOURCE,
        characteristics
          .filter(({ permissions }) => permissions.includes('pr'))
          .map(({ iid, value }) => ({ aid, iid, value, via: 'read' as const })),
      );
      const accessory = home.state.findByAddress({ source: SOURCE, aid });
      if (!accessory) throw new Error(`${aid} did not reach the home`);
      expect(accessory.services.map(got), 'the home has what the device said').toEqual(services.map(got));
      const shown = JSON.parse(JSON.stringify(presentAccessory(accessory, home)));
      expect(shown.services.map((service: { characteristics: object[] }) => service.characteristics.length)).toEqual(
        accessory.services.map((service) => service.characteristics.length),
      );
    }
    home.close();
  });
});
