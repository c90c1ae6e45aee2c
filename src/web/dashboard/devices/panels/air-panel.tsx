/** Fans, purifiers and humidifiers: on or off, mode, speed and further settings. */
import { Fan } from 'lucide-react';
import type { HomeCharacteristic, HomeService } from '../../home/home-document.ts';
import { writer } from '../../home/write.ts';
import { Choice } from '../controls/choice.tsx';
import { Readings } from '../controls/readings.tsx';
import { ToggleRow } from '../controls/toggle-row.tsx';
import { ValueSlider } from '../controls/value-slider.tsx';
import { levelOf } from '../level.ts';
import { characteristicOf, choicesOf, numberOf, PERCENT, rangeOf, toggleOf, writeOf } from '../reading.ts';
import { MainLevel } from './main-level.tsx';
import { type PanelProps, usePanelWords } from './panel.ts';
import { PowerRow } from './power-row.tsx';

/** Modes by HAP's numbers. */
const MODES = {
  target_fan_state: ['manual', 'auto'],
  target_air_purifier_state: ['manual', 'auto'],
  target_humidifier_dehumidifier_state: ['auto', 'humidify', 'dehumidify'],
} as const;

const THRESHOLDS = ['relative_humidity_humidifier_threshold', 'relative_humidity_dehumidifier_threshold'] as const;

export function AirPanel(props: PanelProps) {
  const { service } = props;
  const { t, format } = usePanelWords();
  const humidity = numberOf(service, 'relative_humidity');
  const water = numberOf(service, 'water_level');
  return (
    <>
      {props.isMain ? (
        <MainLevel
          {...props}
          label={t.air.speed}
          level={levelOf(props.accessory, service, 'speed', 'rotation_speed')}
          icon={<Fan size={28} />}
        />
      ) : (
        <PowerRow {...props} />
      )}
      <AirDetails {...props} />
      <Readings
        readings={[
          { label: t.climate.currentHumidity, value: humidity === undefined ? undefined : format.percent(humidity) },
          { label: t.air.water, value: water === undefined ? undefined : format.percent(water) },
        ]}
      />
    </>
  );
}

/** Heater coolers have these settings too. */
export function AirDetails(props: PanelProps) {
  const { accessory, service, isDisabled } = props;
  const { t } = usePanelWords();
  return (
    <>
      <ModeChoices {...props} />
      {(props.isMain ? THRESHOLDS : (['rotation_speed', ...THRESHOLDS] as const)).map((type) => (
        <PercentSlider key={type} {...props} type={type} />
      ))}
      {writable(service, 'rotation_direction') && (
        <Choice
          label={t.air.direction}
          options={[
            { value: 0, label: t.air.clockwise },
            { value: 1, label: t.air.counterClockwise },
          ]}
          value={numberOf(service, 'rotation_direction')}
          isDisabled={isDisabled}
          onChange={(value) => writer.set(...writeOf(accessory, service, 'rotation_direction', value))}
        />
      )}
      {(['swing_mode', 'lock_physical_controls'] as const).map(
        (type) =>
          writable(service, type) && (
            <ToggleRow
              key={type}
              label={t.air[type]}
              {...toggleOf(accessory, service, type)}
              isDisabled={isDisabled}
              onChange={(isOn) => writer.set(...writeOf(accessory, service, type, Number(isOn)))}
            />
          ),
      )}
    </>
  );
}

function ModeChoices({ accessory, service, isDisabled }: PanelProps) {
  const { t } = usePanelWords();
  return Object.entries(MODES).map(([type, names]) => {
    const characteristic = writable(service, type);
    const choices = choicesOf(characteristic) ?? names.map((_, index) => index);
    if (!characteristic || choices.length < 2) return null;
    const options = choices.flatMap((value) => {
      const name = names[value];
      return name ? [{ value, label: t.air.modes[name] }] : [];
    });
    return (
      <Choice
        key={type}
        label={t.mode}
        options={options}
        value={numberOf(service, type)}
        isDisabled={isDisabled}
        onChange={(value) => writer.set(...writeOf(accessory, service, type, value))}
      />
    );
  });
}

interface PercentSliderProps extends PanelProps {
  readonly type: 'rotation_speed' | (typeof THRESHOLDS)[number];
}

function PercentSlider({ accessory, service, isDisabled, type }: PercentSliderProps) {
  const { t, format } = usePanelWords();
  if (!writable(service, type)) return null;
  return (
    <ValueSlider
      label={type === 'rotation_speed' ? t.air.speed : t.air[type]}
      value={numberOf(service, type)}
      range={rangeOf(characteristicOf(service, type), PERCENT)}
      text={(value) => format.percent(value)}
      isDisabled={isDisabled}
      onChange={(value) => writer.set(...writeOf(accessory, service, type, value))}
    />
  );
}

function writable(service: HomeService, type: string): HomeCharacteristic | undefined {
  const found = characteristicOf(service, type);
  return found?.canWrite ? found : undefined;
}
