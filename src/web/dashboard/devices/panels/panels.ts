/**
 * Which service has which panel on an accessory's sheet, by the API's names of services. What is in none of these rows shows all of its
 * characteristics (`generic-panel.tsx`).
 */
import type { ComponentType } from 'react';
import type { HouseAccessory, HouseService } from '../../house/house-document.ts';
import { SENSORS } from '../kinds/sensors.ts';
import { AirPanel } from './air-panel.tsx';
import { ButtonPanel } from './button-panel.tsx';
import { CameraPanel } from './camera-panel.tsx';
import { ClimatePanel } from './climate-panel.tsx';
import { CoverPanel, TiltControls } from './cover-panel.tsx';
import { GenericPanel } from './generic-panel.tsx';
import { LightPanel } from './light-panel.tsx';
import type { PanelProps } from './panel.ts';
import { PowerPanel } from './power-panel.tsx';
import { AlarmPanel, GaragePanel, LockPanel } from './security-panels.tsx';
import { SpeakerPanel } from './speaker-panel.tsx';
import { TimerPanel } from './timer-panel.tsx';
import { ValvePanel } from './valve-panel.tsx';
import { CounterPanel, ModePanel, MomentPanel, NumberPanel, TextPanel } from './virtual-panels.tsx';

type Panel = ComponentType<PanelProps>;

export const PANELS: Readonly<Record<string, Panel>> = {
  lightbulb: LightPanel,
  switch: PowerPanel,
  outlet: PowerPanel,
  thermostat: ClimatePanel,
  heater_cooler: ClimatePanel,
  lock: LockPanel,
  security_system: AlarmPanel,
  garage_door: GaragePanel,
  window_covering: CoverPanel,
  window: CoverPanel,
  door: CoverPanel,
  slats: TiltControls,
  fan: AirPanel,
  air_purifier: AirPanel,
  humidifier_dehumidifier: AirPanel,
  valve: ValvePanel,
  faucet: ValvePanel,
  irrigation_system: ValvePanel,
  speaker: SpeakerPanel,
  microphone: SpeakerPanel,
  doorbell: ButtonPanel,
  stateless_programmable_switch: ButtonPanel,
  camera_rtp_stream_management: CameraPanel,
  virtual_mode: ModePanel,
  virtual_count: CounterPanel,
  virtual_timer: TimerPanel,
  virtual_number: NumberPanel,
  virtual_text: TextPanel,
  virtual_datetime: MomentPanel,
};

/** What accessories say about themselves, and how machines speak with them: in the details, if at all. */
const NOT_CONTROLLED: ReadonlySet<string> = new Set([
  'accessory_information',
  'accessory_metrics',
  'accessory_runtime_information',
  'asset_update',
  'audio_stream_management',
  'bridging_state',
  'camera_recording_management',
  'data_stream_transport_management',
  'diagnostics',
  'eve_history',
  'firmware_update',
  'label',
  'pairing',
  'power_management',
  'protocol_information',
  'siri',
  'siri_endpoint',
  'target_control_management',
  'thread_transport',
  'time_information',
  'transfer_transport_management',
  'tunnel',
  'wifi_transport',
]);
/** A camera has a stream for each who watches; one is enough to say so. */
const ONCE: ReadonlySet<string> = new Set(['camera_rtp_stream_management']);

/** They only tell: all of an accessory's are in one place. */
function isReading({ type }: HouseService): boolean {
  return type in SENSORS || type === 'battery';
}

export interface ShownService {
  readonly service: HouseService;
  readonly Panel: Panel;
}

/** What can be set: what the accessory is for first. */
export function controlledServices({ services }: HouseAccessory): readonly ShownService[] {
  const shown = services.filter(
    (service, index) =>
      !service.isHidden &&
      !NOT_CONTROLLED.has(service.type) &&
      !isReading(service) &&
      !(ONCE.has(service.type) && services.findIndex(({ type }) => type === service.type) < index),
  );
  return shown
    .toSorted((a, b) => Number(b.isPrimary) - Number(a.isPrimary))
    .map((service) => ({ service, Panel: PANELS[service.type] ?? GenericPanel }));
}

/** What only tells; the battery last. */
export function readingServices({ services }: HouseAccessory): readonly HouseService[] {
  const shown = services.filter((service) => !service.isHidden && isReading(service));
  return shown.toSorted((a, b) => Number(a.type === 'battery') - Number(b.type === 'battery'));
}
