import { Pause, Play, Square, Volume1, Volume2 } from 'lucide-react';
import { writer } from '../../home/write.ts';
import { Acts } from '../controls/acts.tsx';
import { ToggleRow } from '../controls/toggle-row.tsx';
import { ValueSlider } from '../controls/value-slider.tsx';
import { MEDIA } from '../kinds/speaker.ts';
import { characteristicOf, choicesOf, numberOf, PERCENT, rangeOf, toggleOf, writeOf } from '../reading.ts';
import { type PanelProps, usePanelWords } from './panel.ts';

/** By HAP's numbers. */
const LOUDER = 0;
const QUIETER = 1;
const MEDIA_ACTS = [
  { name: 'play', value: MEDIA.indexOf('playing'), icon: <Play aria-hidden size={18} /> },
  { name: 'pause', value: MEDIA.indexOf('paused'), icon: <Pause aria-hidden size={18} /> },
  { name: 'stop', value: MEDIA.indexOf('stopped'), icon: <Square aria-hidden size={16} /> },
] as const;

/** Speakers and microphones: playback, volume, mute. */
export function SpeakerPanel({ accessory, service, isDisabled }: PanelProps) {
  const { t, format } = usePanelWords();
  const volume = characteristicOf(service, 'volume');
  const mute = characteristicOf(service, 'mute');
  const selector = writeOf(accessory, service, 'volume_selector', LOUDER);
  const media = characteristicOf(service, 'target_media_state');
  const offered = choicesOf(media) ?? MEDIA.map((_, index) => index);
  const playing = numberOf(service, 'current_media_state');
  return (
    <>
      {media?.canWrite && (
        <Acts
          isDisabled={isDisabled}
          acts={MEDIA_ACTS.filter(({ value }) => offered.includes(value)).map(({ value, name, icon }) => ({
            label: t.speaker[name],
            icon,
            isMain: name === 'play' && playing !== value,
            isDisabled: playing === value,
            run: () => writer.set(...writeOf(accessory, service, 'target_media_state', value)),
          }))}
        />
      )}
      {!volume?.canWrite && selector.length > 0 && (
        <Acts
          isDisabled={isDisabled}
          acts={[
            {
              label: t.speaker.quieter,
              icon: <Volume1 aria-hidden size={20} />,
              run: () => writer.set(...writeOf(accessory, service, 'volume_selector', QUIETER)),
            },
            { label: t.speaker.louder, icon: <Volume2 aria-hidden size={20} />, run: () => writer.set(...selector) },
          ]}
        />
      )}
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
          {...toggleOf(accessory, service, 'mute')}
          isDisabled={isDisabled || !mute.canWrite}
          onChange={(isMuted) => writer.set(...writeOf(accessory, service, 'mute', isMuted))}
        />
      )}
    </>
  );
}
