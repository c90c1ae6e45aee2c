import { Service } from '@homebridge/hap-nodejs';
import { serviceFromUuid } from 'hap-controller/lib/model/service.js';
import { describe, expect, it } from 'vitest';
import { characteristicByType } from '../../src/hap-spec/characteristics.ts';
import { SERVICES, serviceByName, serviceByType, serviceName } from '../../src/hap-spec/services.ts';
import { canonicalType, fullUuid } from '../../src/hap-spec/uuid.ts';

const HAP_PREFIX = 'public.hap.service.';

/** Types of early HAP that HAP-NodeJS has dropped. */
const DROPPED = ['62', '99', 'A1', '111'];

/** HAP-NodeJS has two definitions of one type: a television's speaker is a speaker with more options. */
const SPEAKER = '113';

const definitions = Object.values(Service)
  .filter((member): member is typeof Service & (new (name: string, subtype: string) => Service) => {
    return typeof member === 'function' && 'UUID' in member && typeof member.UUID === 'string';
  })
  .map((definition) => ({ title: definition.name, instance: new definition('', 'test') }));

const typesOf = (members: readonly { UUID: string }[]) => members.map(({ UUID }) => canonicalType(UUID)).sort();

describe('the service table against HAP-NodeJS', () => {
  it('finds its definitions', () => {
    expect(definitions.length).toBeGreaterThanOrEqual(72);
  });

  it.each(definitions.map(({ title, instance }) => [title, instance] as const))(
    'describes %s alike',
    (_title, instance) => {
      const spec = serviceByType(canonicalType(instance.UUID));
      expect([...(spec?.required ?? [])].sort()).toEqual(typesOf(instance.characteristics));
      const optional = typesOf(instance.optionalCharacteristics);
      if (spec?.type === SPEAKER) expect(spec.optional).toEqual(expect.arrayContaining(optional));
      else expect([...(spec?.optional ?? [])].sort()).toEqual(optional);
    },
  );

  it('finds every definition by its title', () => {
    for (const { title, instance } of definitions) {
      if (title === 'TelevisionSpeaker') continue;
      expect(serviceByName(title)?.type, title).toBe(canonicalType(instance.UUID));
    }
  });

  it('has no further types but the dropped ones and Eve’s', () => {
    const known = new Set(definitions.map(({ instance }) => canonicalType(instance.UUID)));
    const further = SERVICES.map(({ type }) => type).filter((type) => !known.has(type) && type.length <= 8);
    expect(further.sort()).toEqual([...DROPPED].sort());
  });
});

describe('the service table', () => {
  it('names HAP types as hap-controller prints them', () => {
    let compared = 0;
    for (const { type, hapName } of SERVICES) {
      const printed = serviceFromUuid(fullUuid(type));
      if (!printed.startsWith(HAP_PREFIX)) continue;
      expect(`${HAP_PREFIX}${hapName}`).toBe(printed);
      compared += 1;
    }
    expect(compared).toBe(74);
  });

  it('uses each type and each name once, but `fan` for both generations of fans', () => {
    expect(new Set(SERVICES.map(({ type }) => type)).size).toBe(SERVICES.length);
    expect(new Set(SERVICES.map(({ hapName }) => hapName)).size).toBe(SERVICES.length);
    const twice = SERVICES.filter(({ type, name }) =>
      SERVICES.some((other) => other.type !== type && other.name === name),
    );
    expect(twice.map(({ type }) => type)).toEqual(['40', 'B7']);
    expect(serviceByName('fan')?.type).toBe('40');
    expect(serviceByName('fanv2')?.type).toBe('B7');
  });

  it('is read both ways: every spelling of every row leads back to it', () => {
    for (const spec of SERVICES) {
      const spellings = [spec.hapName, `${HAP_PREFIX}${spec.hapName}`, ...spec.aliases, spec.type, fullUuid(spec.type)];
      if (spec.type !== 'B7') spellings.push(spec.name, spec.name.toUpperCase());
      for (const spelling of spellings) expect(serviceByName(spelling), spelling).toBe(spec);
      expect(serviceName(spec.type)).toBe(spec.name);
    }
  });

  it('names only characteristics that exist', () => {
    for (const { required, optional } of SERVICES) {
      for (const type of [...required, ...optional]) expect(characteristicByType(type)).toBeDefined();
    }
  });

  it('lets unknown types through by their UUID', () => {
    expect(serviceByName('9715bf53-ab63-4449-8dc7-2485d617390a')).toBeUndefined();
    expect(serviceName('1801')).toBe('00001801-0000-1000-8000-0026BB765291');
  });

  it.each(
    Object.entries({
      lightbulb: '43',
      switch: '49',
      outlet: '47',
      stateless_programmable_switch: '89',
      thermostat: '4A',
      heater_cooler: 'BC',
      air_purifier: 'BB',
      humidifier_dehumidifier: 'BD',
      filter_maintenance: 'BA',
      lock: '45',
      lock_management: '44',
      door: '81',
      doorbell: '121',
      window: '8B',
      window_covering: '8C',
      garage_door: '41',
      slats: 'B9',
      faucet: 'D7',
      valve: 'D0',
      irrigation_system: 'CF',
      motion_sensor: '85',
      occupancy_sensor: '86',
      contact_sensor: '80',
      temperature_sensor: '8A',
      humidity_sensor: '82',
      light_sensor: '84',
      smoke_sensor: '87',
      carbon_monoxide_sensor: '7F',
      carbon_dioxide_sensor: '97',
      air_quality_sensor: '8D',
      leak_sensor: '83',
      battery: '96',
      speaker: '113',
      microphone: '112',
      camera_rtp_stream_management: '110',
      camera_control: '111',
      camera_operating_mode: '21A',
      security_system: '7E',
      accessory_information: '3E',
      label: 'CC',
      eve_history: 'E863F007-079E-48FF-8F27-9C2605A29F52',
    }),
  )('calls %s what clients call it', (name, type) => {
    expect(serviceName(type)).toBe(name);
  });
});
