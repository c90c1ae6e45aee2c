import { Group } from '@mantine/core';
import { Sparkles, Sun } from 'lucide-react';
import { writer } from '../../home/write.ts';
import { ValueSlider } from '../controls/value-slider.tsx';
import { levelOf } from '../level.ts';
import { cssColour, hueName, kelvinOf, lightOf, RAINBOW, roundKelvin, WARM_TO_COLD } from '../light-colours.ts';
import { characteristicOf, flagOf, numberOf, PERCENT, powerOf, powerWrites, rangeOf, writeOf } from '../reading.ts';
import { AdaptiveRow } from './adaptive-row.tsx';
import { MIREDS } from './favourite-lights.ts';
import { LightFavourites } from './light-favourites.tsx';
import classes from './light-panel.module.css';
import { MainLevel } from './main-level.tsx';
import { type PanelProps, usePanelWords } from './panel.ts';
import { PowerRow } from './power-row.tsx';

const HUE = { min: 0, max: 360, step: 1 };

export function LightPanel(props: PanelProps) {
  const { t } = usePanelWords();
  const runsSchedule = (numberOf(props.service, 'characteristic_value_active_transition_count') ?? 0) > 0;
  // Another controller wrote it.
  const isAdaptive = runsSchedule && flagOf(props.service, 'adaptive_lighting') !== true;
  return (
    <>
      {props.isMain ? (
        <MainLevel
          {...props}
          label={t.light.brightness}
          level={levelOf(props.accessory, props.service, 'brightness', 'brightness')}
          // In the colour of its light.
          fill={lightOf(props.service) ?? 'var(--h-lamp)'}
          icon={<Sun size={28} />}
        />
      ) : (
        <>
          <PowerRow {...props} />
          <Brightness {...props} />
        </>
      )}
      {isAdaptive && (
        <Group component="p" gap={8} wrap="nowrap" m={0} p="10px 14px" bdrs="var(--h-radius-small)" className="h-note">
          <Sparkles aria-hidden size={18} />
          {t.light.adaptive}
        </Group>
      )}
      <AdaptiveRow {...props} />
      <LightFavourites {...props} />
      <Whites {...props} />
      <Colours {...props} />
    </>
  );
}

function Brightness({ accessory, service, isDisabled }: PanelProps) {
  const { t, d, format } = usePanelWords();
  const characteristic = characteristicOf(service, 'brightness');
  if (!characteristic) return null;
  const range = rangeOf(characteristic, PERCENT);
  return (
    <ValueSlider
      label={t.light.brightness}
      value={numberOf(service, 'brightness')}
      // The switch covers zero.
      range={{ ...range, min: Math.max(range.min, 1) }}
      text={(value) => format.percent(value)}
      fill={lightOf(service) ?? 'var(--h-lamp)'}
      whileOff={powerOf(service) === false ? d.off : undefined}
      isDisabled={isDisabled}
      onChange={(value) =>
        writer.set(
          ...writeOf(accessory, service, 'brightness', value),
          ...(flagOf(service, 'power_state') ? [] : powerWrites(accessory, service, true)),
        )
      }
    />
  );
}

function Whites({ accessory, service, isDisabled }: PanelProps) {
  const { t, format } = usePanelWords();
  const characteristic = characteristicOf(service, 'color_temperature');
  if (!characteristic) return null;
  const range = rangeOf(characteristic, MIREDS);
  const value = numberOf(service, 'color_temperature');
  const set = (mireds: number) => writer.set(...writeOf(accessory, service, 'color_temperature', mireds));
  return (
    <ValueSlider
      label={t.light.white}
      value={value}
      range={range}
      text={(mireds) => t.light.kelvin({ kelvin: format.number(roundKelvin(kelvinOf(mireds))) })}
      track={WARM_TO_COLD}
      isDisabled={isDisabled}
      onChange={set}
    />
  );
}

function Colours({ accessory, service, isDisabled }: PanelProps) {
  const { t, format } = usePanelWords();
  const hue = numberOf(service, 'hue') ?? 0;
  if (!characteristicOf(service, 'hue') || !characteristicOf(service, 'saturation')) return null;
  const set = (next: { hue?: number; saturation?: number }) =>
    writer.set(
      ...(next.hue === undefined ? [] : writeOf(accessory, service, 'hue', next.hue)),
      ...(next.saturation === undefined ? [] : writeOf(accessory, service, 'saturation', next.saturation)),
    );
  return (
    <div className={classes.group}>
      <ValueSlider
        label={t.light.colour}
        value={numberOf(service, 'hue')}
        range={rangeOf(characteristicOf(service, 'hue'), HUE)}
        text={(value) => t.light.hueNames[hueName(value)]}
        track={RAINBOW}
        isDisabled={isDisabled}
        onChange={(value) => set({ hue: value })}
      />
      <ValueSlider
        label={t.light.saturation}
        value={numberOf(service, 'saturation')}
        range={rangeOf(characteristicOf(service, 'saturation'), PERCENT)}
        text={(value) => format.percent(value)}
        track={`linear-gradient(to right, #fff, ${cssColour(hue, 100)})`}
        isDisabled={isDisabled}
        onChange={(value) => set({ saturation: value })}
      />
    </div>
  );
}
