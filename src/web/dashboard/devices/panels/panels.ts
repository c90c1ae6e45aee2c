/**
 * Maps services to panels on an accessory's sheet, by the API's service names. A service without a row shows all of its
 * characteristics (`generic-panel.tsx`).
 */
import type { ComponentType } from 'react';
import type { HomeService } from '../../home/home-document.ts';
import { AirPanel } from './air-panel.tsx';
import { ButtonPanel } from './button-panel.tsx';
import { CameraPanel } from './camera-panel.tsx';
import { ClimatePanel } from './climate-panel.tsx';
import { CoverPanel, TiltControls } from './cover-panel.tsx';
import { FilterPanel } from './filter-panel.tsx';
import { GenericPanel } from './generic-panel.tsx';
import { LightPanel } from './light-panel.tsx';
import type { PanelProps } from './panel.ts';
import { PowerPanel } from './power-panel.tsx';
import { AlarmPanel, GaragePanel, LockPanel } from './security-panels.tsx';
import { SpeakerPanel } from './speaker-panel.tsx';
import { TelevisionPanel } from './television-panel.tsx';
import { TimerPanel } from './timer-panel.tsx';
import { ValvePanel } from './valve-panel.tsx';
import { CounterPanel, ModePanel, MomentPanel, NumberPanel, TextPanel } from './virtual-panels.tsx';

type Panel = ComponentType<PanelProps>;

const PANELS: Readonly<Record<string, Panel>> = {
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
  smart_speaker: SpeakerPanel,
  television: TelevisionPanel,
  filter_maintenance: FilterPanel,
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

export function panelOf({ type }: HomeService): Panel {
  return PANELS[type] ?? GenericPanel;
}
