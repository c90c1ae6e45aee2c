import { Mic, MicOff, Volume2, VolumeX } from 'lucide-react';
import type { HomeAccessory } from '../../home/home-document.ts';
import { type DeviceKind, line } from '../kind.ts';
import { levelOf } from '../level.ts';
import { flagOf, numberOf, serviceOf, writeOf } from '../reading.ts';

/** By HAP's numbers. */
export const MEDIA = ['playing', 'paused', 'stopped'] as const;
const PLAYS = MEDIA.indexOf('playing');

const speakerOf = (accessory: HomeAccessory) => serviceOf(accessory, 'smart_speaker', 'speaker', 'microphone');

export const speaker: DeviceKind = {
  look(accessory) {
    const service = speakerOf(accessory);
    const isMuted = flagOf(service, 'mute') ?? false;
    if (service?.type === 'microphone') return { icon: isMuted ? MicOff : Mic, tone: isMuted ? 'off' : 'on' };
    const isPlaying = numberOf(service, 'current_media_state') === PLAYS;
    return { icon: isMuted ? VolumeX : Volume2, tone: isPlaying ? 'on' : 'off' };
  },
  describe(accessory, t, format) {
    const service = speakerOf(accessory);
    const media = MEDIA[numberOf(service, 'current_media_state') ?? -1];
    const isMuted = flagOf(service, 'mute');
    const volume = numberOf(service, 'volume');
    const loudness = volume === undefined ? undefined : t.speaker.volume({ percent: format.percent(volume) });
    return line(media && t.speaker[media], isMuted ? t.speaker.muted : loudness) || t.ready;
  },
  act(accessory) {
    const isMuted = flagOf(speakerOf(accessory), 'mute') ?? false;
    const writes = writeOf(accessory, speakerOf(accessory), 'mute', !isMuted);
    return writes.length > 0 ? { isOn: !isMuted, writes } : undefined;
  },
  level: (accessory) => levelOf(accessory, speakerOf(accessory), 'volume', 'volume'),
};
