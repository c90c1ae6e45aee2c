import { writer } from '../../house/write.ts';
import { ToggleRow } from '../controls/toggle-row.tsx';
import { ValueSlider } from '../controls/value-slider.tsx';
import { characteristicOf, flagOf, numberOf, PERCENT, rangeOf, writeOf } from '../reading.ts';
import { type PanelProps, usePanelWords } from './panel.ts';

/** Speakers and microphones: loud, quiet, mute. */
export function SpeakerPanel({ accessory, service, isDisabled }: PanelProps) {
  const { t, format } = usePanelWords();
  const volume = characteristicOf(service, 'volume');
  const mute = characteristicOf(service, 'mute');
  return (
    <>
      {volume && (
        <ValueSlider
          label={t.speaker.volume}
          value={numberOf(service, 'volume')}
          range={rangeOf(volume, PERCENT)}
          text={(value) => format.percent(value)}
          isDisabled={isDisabled || !volume.canWrite}
          onChange={(value) => writer.set(...writeOf(accessory, service, 'volume', value))}
        />
      )}
      {mute && (
        <ToggleRow
          label={t.speaker.mute}
          isOn={flagOf(service, 'mute') ?? false}
          isDisabled={isDisabled || !mute.canWrite}
          onChange={(isMuted) => writer.set(...writeOf(accessory, service, 'mute', isMuted))}
        />
      )}
    </>
  );
}
