import { expect, it } from 'vitest';
import { fromMireds, fromXy, toXy } from '../../../src/app/publications/matter/colors.ts';
import { HapServiceView } from '../../../src/app/publications/matter/hap-service-view.ts';
import { LEVEL } from '../../../src/app/publications/matter/light-clusters.ts';
import { COVERING } from '../../../src/app/publications/matter/opening-clusters.ts';
import { characteristic, service } from '../../support/sample-accessories.ts';

const lampAt = (percent: number) =>
  new HapServiceView(service('8', '43', [characteristic('10', '8', 'int', percent, { minValue: 0, maxValue: 100 })]));
const blindAt = (percent: number) =>
  new HapServiceView(
    service('8', '8C', [characteristic('9', '6D', 'uint8', percent), characteristic('10', '7C', 'uint8', percent)]),
  );

it('brings every brightness through Matter and back', () => {
  for (let percent = 1; percent <= 100; percent += 1) {
    const read = LEVEL.read(lampAt(percent));
    expect(LEVEL.write?.(read, lampAt(0))).toEqual({ brightness: percent });
  }
});

it('brings every position of a blind through Matter and back, with open at zero', () => {
  expect(COVERING.read(blindAt(100))).toMatchObject({ currentPositionLiftPercent100ths: 0 });
  for (let percent = 0; percent <= 100; percent += 1) {
    const { targetPositionLiftPercent100ths = null } = COVERING.read(blindAt(percent));
    expect(COVERING.write?.({ targetPositionLiftPercent100ths }, blindAt(0))).toEqual({ target_position: percent });
  }
});

it('brings colors through x and y and back', () => {
  for (let hue = 0; hue < 360; hue += 30) {
    for (const saturation of [40, 100]) {
      const back = fromXy(toXy({ hue, saturation }));
      expect(Math.abs(((back.hue - hue + 540) % 360) - 180)).toBeLessThanOrEqual(2);
      expect(Math.abs(back.saturation - saturation)).toBeLessThanOrEqual(2);
    }
  }
});

it('makes a warm color of a warm white, and hardly any of a cold one', () => {
  expect(fromMireds(450).hue).toBeLessThan(45);
  expect(fromMireds(450).saturation).toBeGreaterThan(40);
  expect(fromMireds(153).saturation).toBeLessThan(10);
});
