import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Trigger } from '../../../../src/app/automations/triggers/index.ts';
import { summarizeTrigger } from '../../../../src/app/automations/triggers/index.ts';
import { characteristic, information, plainSwitch, service } from '../../../support/sample-accessories.ts';
import { createTriggerFixture, THERMOSTAT, type TriggerFixture } from './trigger-fixture.ts';

let fixture: TriggerFixture;
beforeEach(() => {
  fixture = createTriggerFixture();
});
afterEach(() => fixture.close());

const temperature = () =>
  ({
    type: 'numeric_state',
    accessoryId: fixture.named('Thermostat').id,
    characteristicType: 'current_temperature',
  }) as const;

function firedOn(bounds: { above?: number; below?: number }, values: readonly number[]): readonly unknown[] {
  const { fired, stop } = fixture.watch({ ...temperature(), ...bounds });
  for (const value of values) fixture.report(THERMOSTAT, '9', value);
  stop();
  return fired.map(({ data }) => data.to_value);
}

describe('a numeric trigger', () => {
  it('fires on rising above a bound, once, and again after it was below', () => {
    expect(firedOn({ above: 25 }, [24, 25, 25.5, 27, 24, 26])).toEqual([25.5, 26]);
  });

  it('fires on falling below a bound', () => {
    expect(firedOn({ below: 18 }, [19, 18, 17, 16, 18, 17.5])).toEqual([17, 17.5]);
  });

  it('fires on entering a range from either side, and not on leaving or jumping over it', () => {
    expect(firedOn({ above: 18, below: 22 }, [10, 20, 21, 30, 10, 19, 22, 21.9])).toEqual([20, 19, 21.9]);
  });

  it('does not fire because the number is in the range when the watching begins', () => {
    fixture.report(THERMOSTAT, '9', 30);
    expect(firedOn({ above: 25 }, [31, 32])).toEqual([]);
  });

  it('does not fire because a device comes back with what it had', () => {
    fixture.report(THERMOSTAT, '9', 30);
    const { fired } = fixture.watch({ ...temperature(), above: 25 });
    fixture.driver.setReachable(THERMOSTAT, false);
    fixture.driver.setReachable(THERMOSTAT, true);
    fixture.report(THERMOSTAT, '9', 30);
    expect(fired).toEqual([]);
  });

  it('takes a number that was not known for one outside', () => {
    const sensor = {
      ...plainSwitch('Cellar'),
      services: [
        information('Cellar'),
        service('8', '8A', [characteristic('9', '11', 'float', null, {}, ['pr', 'ev'])]),
      ],
    };
    fixture.attach({ deviceId: '20:00:00:00:00:02', name: 'Cellar', setupCode: '031-45-154', accessories: [sensor] });
    const { fired } = fixture.watch({ ...temperature(), accessoryId: fixture.named('Cellar').id, above: 25 });
    fixture.report('20:00:00:00:00:02', '9', 30);
    expect(fired.map(({ data }) => data)).toEqual([
      {
        accessory_id: fixture.named('Cellar').id,
        characteristic_type: 'current_temperature',
        from_value: null,
        to_value: 30,
      },
    ]);
  });

  it('is described in one line', () => {
    const line = (bounds: object): string =>
      summarizeTrigger({ id: 't', enabled: true, ...temperature(), ...bounds } as Trigger, fixture.state);
    expect([line({ above: 25 }), line({ above: 18, below: 22, for: { hours: 1, minutes: 30 } })]).toEqual([
      'Current temperature of Thermostat goes above 25',
      'Current temperature of Thermostat goes above 18 and below 22 for 1 hour 30 minutes',
    ]);
  });
});
