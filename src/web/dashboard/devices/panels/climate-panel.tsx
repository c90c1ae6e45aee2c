import { Flame, Power, RefreshCw, Snowflake } from 'lucide-react';
import type { HomeCharacteristic } from '../../home/home-document.ts';
import { writer } from '../../home/write.ts';
import { Choice } from '../controls/choice.tsx';
import controls from '../controls/controls.module.css';
import { Dial, type DialPoint } from '../controls/dial.tsx';
import { Readings } from '../controls/readings.tsx';
import { nearest } from '../controls/temperature-steps.ts';
import { ValueSlider } from '../controls/value-slider.tsx';
import { climateModeWrites, readClimate } from '../kinds/climate.ts';
import { characteristicOf, numberOf, PERCENT, type Range, rangeOf, writeOf } from '../reading.ts';
import { AirDetails } from './air-panel.tsx';
import { type PanelProps, usePanelWords } from './panel.ts';

const MODE_ICONS = { off: Power, heat: Flame, cool: Snowflake, auto: RefreshCw } as const;
/** HAP's own ranges, in °C. */
const TARGET: Range = { min: 10, max: 38, step: 0.1 };
const HEAT: Range = { min: 0, max: 25, step: 0.1 };
const COOL: Range = { min: 10, max: 35, step: 0.1 };

export function ClimatePanel(props: PanelProps) {
  const { accessory, service, isDisabled } = props;
  const { t, format } = usePanelWords();
  const climate = readClimate(service);
  const points = usePoints(props);
  return (
    <>
      {points.length > 0 && (
        <Dial points={points} current={climate.current} doing={climate.doing} isDisabled={isDisabled}>
          {climate.current !== undefined && (
            <p className={controls.note}>{t.climate.now({ temperature: format.temperature(climate.current) })}</p>
          )}
          {climate.doing !== 'idle' && <p className={controls.note}>{t.climate[climate.doing]}</p>}
        </Dial>
      )}
      <Choice
        label={t.mode}
        options={climate.modes.map((mode) => {
          const Icon = MODE_ICONS[mode];
          return { value: mode, label: t.climate.modes[mode], icon: <Icon aria-hidden size={18} /> };
        })}
        value={climate.mode}
        isDisabled={isDisabled}
        onChange={(mode) => writer.set(...climateModeWrites(accessory, service, mode))}
      />
      {characteristicOf(service, 'target_humidity')?.canWrite && (
        <ValueSlider
          label={t.climate.targetHumidity}
          value={numberOf(service, 'target_humidity')}
          range={rangeOf(characteristicOf(service, 'target_humidity'), PERCENT)}
          text={(value) => format.percent(value)}
          isDisabled={isDisabled}
          onChange={(value) => writer.set(...writeOf(accessory, service, 'target_humidity', value))}
        />
      )}
      <AirDetails {...props} />
      <Readings
        readings={[
          {
            label: t.climate.currentTemperature,
            // The dial shows the value, if there is one.
            value: climate.current === undefined || points.length > 0 ? undefined : format.temperature(climate.current),
          },
          {
            label: t.climate.currentHumidity,
            value: climate.humidity === undefined ? undefined : format.percent(climate.humidity),
          },
        ]}
      />
    </>
  );
}

/** The adjustable temperatures: one target, or a lower and an upper limit that never cross. */
function usePoints({ accessory, service }: PanelProps): readonly DialPoint[] {
  const { t } = usePanelWords();
  const { mode, target, heatTo, coolTo } = readClimate(service);
  const targetTone = mode === 'heat' ? 'warm' : mode === 'cool' ? 'cool' : 'both';
  const point = (
    characteristic: HomeCharacteristic | undefined,
    words: { readonly label: string; readonly lower: string; readonly higher: string },
    tone: DialPoint['tone'],
    range: Range,
  ): readonly DialPoint[] => {
    if (!characteristic) return [];
    const value = typeof characteristic.value === 'number' ? characteristic.value : undefined;
    const onChange = (celsius: number) =>
      writer.set(...writeOf(accessory, service, characteristic.type, nearest(celsius, range)));
    return [{ ...words, value, range, tone, onChange }];
  };
  const heatRange = rangeOf(heatTo, HEAT);
  const coolRange = rangeOf(coolTo, COOL);
  const heatMax = typeof coolTo?.value === 'number' ? Math.min(heatRange.max, coolTo.value) : heatRange.max;
  const coolMin = typeof heatTo?.value === 'number' ? Math.max(coolRange.min, heatTo.value) : coolRange.min;
  return [
    ...point(target, t.climate.target, targetTone, rangeOf(target, TARGET)),
    ...point(heatTo, t.climate.heatTo, 'warm', { ...heatRange, max: heatMax }),
    ...point(coolTo, t.climate.coolTo, 'cool', { ...coolRange, min: coolMin }),
  ];
}
