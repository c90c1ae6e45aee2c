import { Mic, MicOff, Volume2, VolumeX } from 'lucide-react';
import type { HouseAccessory } from '../../house/house-document.ts';
import type { DeviceKind } from '../kind.ts';
import { flagOf, numberOf, serviceOf, writeOf } from '../reading.ts';

const speakerOf = (accessory: HouseAccessory) => serviceOf(accessory, 'speaker', 'microphone');

export const speaker: DeviceKind = {
  look(accessory) {
    const service = speakerOf(accessory);
    const isMuted = flagOf(service, 'mute') ?? false;
    if (service?.type === 'microphone') return { icon: isMuted ? MicOff : Mic, tone: isMuted ? 'off' : 'on' };
    return { icon: isMuted ? VolumeX : Volume2, tone: 'off' };
  },
  describe(accessory, t, format) {
    const service = speakerOf(accessory);
    if (flagOf(service, 'mute')) return t.speaker.muted;
    const volume = numberOf(service, 'volume');
    return volume === undefined ? t.on : t.speaker.volume(format.percent(volume));
  },
  act(accessory) {
    const isMuted = flagOf(speakerOf(accessory), 'mute') ?? false;
    const writes = writeOf(accessory, speakerOf(accessory), 'mute', !isMuted);
    return writes.length > 0 ? { isOn: !isMuted, writes } : undefined;
  },
};
