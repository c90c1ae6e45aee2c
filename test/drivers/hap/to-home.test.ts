import { describe, expect, it } from 'vitest';
import { toHome } from '../../../src/drivers/hap/to-home.ts';
import { parseAccessories } from '../../../src/drivers/hap/wire/accessory-database.ts';
import type { DescribedAccessory } from '../../../src/home/accessory-driver.ts';
import { bridgeDatabase, lampAccessory } from '../../support/accessories/sample-databases.ts';
import type { AccessoryJson, ServiceJson } from '../../support/accessories/served-database.ts';

const SERVER = { name: 'Advertised', category: 5 };

function describeAccessories(accessories: readonly AccessoryJson[]): readonly DescribedAccessory[] {
  return toHome(parseAccessories(JSON.stringify({ accessories })), SERVER);
}

function shownValue(accessory: DescribedAccessory | undefined, iid: string): unknown {
  return accessory?.services.flatMap(({ characteristics }) => characteristics).find((one) => one.iid === iid)?.value;
}

function withConfiguredName(service: ServiceJson, name: string): ServiceJson {
  const configured = { iid: 99, type: 'E3', format: 'string', perms: ['pr', 'pw', 'ev'], value: name };
  return { ...service, characteristics: [...service.characteristics, configured] };
}

describe('what an accessory server describes, as the home gets it', () => {
  it('names an accessory as its information service does, and a nameless one as it is advertised', () => {
    const nameless = lampAccessory('');
    expect(describeAccessories([lampAccessory('Lamp ')])[0]?.name).toBe('Lamp');
    expect(describeAccessories([nameless])[0]?.name).toBe('Advertised');
  });

  it('prefers the name that its owner gave the functional services on the device', () => {
    const lamp = lampAccessory('LS1-20833F');
    const renamed = {
      ...lamp,
      services: lamp.services.map((s) => (s.type === '43' ? withConfiguredName(s, 'Sofa') : s)),
    };
    expect(describeAccessories([renamed])[0]?.name).toBe('Sofa');
  });

  it('takes no value that may be stale, but the maker’s words as they stand', () => {
    const [lamp] = describeAccessories([lampAccessory('Lamp')]);
    expect(shownValue(lamp, '10'), 'brightness waits for a read').toBeNull();
    expect(shownValue(lamp, '3'), 'the manufacturer does not change').toBe('hearthd');
  });

  it('gives a lone accessory the advertised category, and a bridge’s children their own', () => {
    expect(describeAccessories([lampAccessory('Lamp')])[0]?.category).toBe(SERVER.category);
    const [bridge, child] = describeAccessories(bridgeDatabase(2));
    expect(bridge?.category).toBe(2);
    expect(child?.category).toBe(5);
  });

  it('keeps ids that no float can hold', () => {
    const [, big] = describeAccessories([lampAccessory('a', 1), lampAccessory('b', 2)]);
    expect(big?.aid).toBe('2');
    const text = `{"accessories":[{"aid":18446744073709551615,"services":[]}]}`;
    expect(toHome(parseAccessories(text), SERVER)[0]?.aid).toBe('18446744073709551615');
  });
});

describe('the category of a bridge’s child', () => {
  const withServices = (...services: readonly (readonly [type: string, primary?: boolean])[]) => {
    const [bridge, child] = bridgeDatabase(1);
    const added = services.map(([type, primary = false], index) => ({
      iid: 100 + index,
      type,
      primary,
      characteristics: [],
    }));
    const [information] = child?.services ?? [];
    if (!bridge || !child || !information) throw new Error('There must be a bridge and a child');
    return describeAccessories([bridge, { ...child, services: [information, ...added] }])[1]?.category;
  };

  it('is that of a camera, a thermostat or a humidifier, with or without a light in it', () => {
    expect(withServices(['43'], ['110'])).toBe(17);
    expect(withServices(['43'], ['4A'])).toBe(9);
    expect(withServices(['43'], ['BD'])).toBe(22);
  });

  it('is that of the service that its maker flags as primary', () => {
    expect(withServices(['43'], ['40', true])).toBe(3);
    expect(withServices(['110'], ['43', true])).toBe(5);
  });
});
