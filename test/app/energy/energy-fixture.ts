/** A home in Berlin with metered outlets, whose clock the test moves. */
import { METER, meteredOutlet } from '../../support/sample-accessories.ts';
import { TestClock } from '../../support/test-clock.ts';
import { createTestHome, systemCaller } from '../../support/test-home.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

interface EnergyFixtureOptions {
  readonly start?: string;
  readonly timeZone?: string;
  /** Files, to open the same again. */
  readonly path?: string;
}

export type EnergyFixture = ReturnType<typeof openEnergyFixture>;

export function openEnergyFixture({ start, timeZone = 'Europe/Berlin', path }: EnergyFixtureOptions = {}) {
  const clock = new TestClock(start ?? '2026-01-15T12:00:00Z');
  const home = createTestHome({ clock, ...(path !== undefined && { path }) });
  home.homes.update(systemCaller, home.home.id, { timeZone });
  const deviceOf = (name: string): string =>
    `E0:00:00:00:00:${[...name]
      .reduce((sum, letter) => (sum + letter.charCodeAt(0)) % 256, 0)
      .toString(16)
      .padStart(2, '0')
      .toUpperCase()}`;
  return {
    ...home,
    homeId: home.home.id,
    /** A new outlet that reports what it measures. */
    addOutlet(name: string, values: { readonly watts?: number; readonly kwh?: number } = {}): void {
      home.driver.attach(home.home.id, {
        deviceId: deviceOf(name),
        name,
        setupCode: '031-45-154',
        accessories: [meteredOutlet(name, values)],
      });
    },
    watts: (name: string, value: number) => home.driver.event(deviceOf(name), '1', METER.watts, value),
    kwh: (name: string, value: number) => home.driver.event(deviceOf(name), '1', METER.kwh, value),
    setReachable: (name: string, isReachable: boolean) => home.driver.setReachable(deviceOf(name), isReachable),
    report: (query: object = {}) => home.energy.report(systemCaller, { home: home.home.id, ...query }),
  };
}
