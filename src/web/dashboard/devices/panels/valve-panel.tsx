import { writer } from '../../home/write.ts';
import { Readings } from '../controls/readings.tsx';
import { ValueSlider } from '../controls/value-slider.tsx';
import { characteristicOf, flagOf, numberOf, powerOf, rangeOf, writeOf } from '../reading.ts';
import { useCountdown } from './countdown.ts';
import { type PanelProps, usePanelWords } from './panel.ts';
import { PowerRow } from './power-row.tsx';

const HOUR_S = 3600;
const DURATION = { min: 0, max: HOUR_S, step: 60 };

/** Valves, taps and sprinklers; they close by themselves if they have a duration. */
export function ValvePanel(props: PanelProps) {
  const { accessory, service, isDisabled } = props;
  const { t, d, format } = usePanelWords();
  const isOn = powerOf(service) ?? false;
  const duration = characteristicOf(service, 'set_duration');
  const left = useCountdown(numberOf(service, 'remaining_duration'));
  const range = rangeOf(duration, DURATION);
  const isWaiting = isOn && flagOf(service, 'in_use') === false;
  return (
    <>
      <PowerRow
        {...props}
        label={t.valve.water}
        note={isOn ? (isWaiting ? d.valve.waits : d.valve.runs) : d.valve.closed}
      />
      {duration && (
        <ValueSlider
          label={t.valve.duration}
          value={numberOf(service, 'set_duration')}
          // Seconds, in coarser steps than one.
          range={{ ...range, step: range.max - range.min > DURATION.step ? DURATION.step : range.step }}
          text={(seconds) => (seconds > 0 ? format.duration(seconds * 1000) : t.valve.unlimited)}
          isDisabled={isDisabled || !duration.canWrite}
          onChange={(value) => writer.set(...writeOf(accessory, service, 'set_duration', value))}
        />
      )}
      {isOn && left !== undefined && left > 0 && (
        <Readings readings={[{ label: t.valve.remaining, value: format.duration(left * 1000) }]} />
      )}
    </>
  );
}
