import { describe, expect, it } from 'vitest';
import { SERVICES, serviceByName } from '../../../src/hap-spec/services.ts';
import type { Service } from '../../../src/home/model.ts';
import { rankServices } from '../../../src/home/vocabulary/bindings.ts';
import { propertiesOf } from '../../../src/web/dashboard/pickers/property.ts';
import { accessoryOf } from '../home/sample-home.ts';

type Pair = readonly [first: string, second: string];

const NAMES = SERVICES.map(({ name }) => name);
const PAIRS: readonly Pair[] = NAMES.flatMap((first) =>
  NAMES.filter((second) => second !== first).map((second): Pair => [first, second]),
);

/** Which of two services the relay gives the plain names. @param primary the name of the one that is flagged so */
function plainInRelay(pair: Pair, primary?: string): string | undefined {
  const services = pair.map((name): Service => {
    const type = serviceByName(name)?.type ?? '';
    return { iid: name, type, primary: name === primary, hidden: false, linked: [], characteristics: [] };
  });
  return rankServices(services)[0]?.iid;
}

function plainInDashboard([first, second]: Pair, primary?: string): string | undefined {
  const accessory = accessoryOf('a', 'other', { [first]: { vendor_value: 1 }, [second]: { vendor_value: 1 } });
  const services = accessory.services.map((service) => ({ ...service, isPrimary: service.type === primary }));
  return propertiesOf({ ...accessory, services }).find(({ number }) => number === 1)?.service.type;
}

/** Of these the dashboard offers no property, so that nothing shows who comes first. */
function isOffered(pair: Pair): boolean {
  return pair.every((name) => propertiesOf(accessoryOf('a', 'other', { [name]: { vendor_value: 1 } })).length > 0);
}

describe('the service that has the plain names', () => {
  const offered = PAIRS.filter(isOffered);

  it('is the same for the dashboard and the relay, whichever two services there are', () => {
    expect(offered.length).toBeGreaterThan(500);
    expect(offered.map((pair) => plainInDashboard(pair))).toEqual(offered.map((pair) => plainInRelay(pair)));
  });

  it('is the same for both where one of them is primary', () => {
    for (const pair of offered) expect(plainInDashboard(pair, pair[1])).toBe(plainInRelay(pair, pair[1]));
  });
});
