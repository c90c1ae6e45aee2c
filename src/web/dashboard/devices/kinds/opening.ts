/** Blinds, windows and doors that have a position, and garage doors, which only open and close. */
import { AppWindow, Blinds, DoorClosed, DoorOpen, TriangleAlert, Warehouse } from 'lucide-react';
import type { HomeAccessory, HomeService } from '../../home/home-document.ts';
import { type DeviceKind, line } from '../kind.ts';
import { levelOf } from '../level.ts';
import { characteristicOf, flagOf, numberOf, serviceOf, writeOf } from '../reading.ts';

export type OpeningState = 'open' | 'closed' | 'opening' | 'closing' | 'stopped' | 'partly' | 'unknown';

export interface Opening {
  readonly state: OpeningState;
  /** 0–100 percent open; garage doors do not report it. */
  readonly position: number | undefined;
  readonly isObstructed: boolean;
}

const DOOR_STATES: readonly OpeningState[] = ['open', 'closed', 'opening', 'closing', 'stopped'];
export const GARAGE_OPEN = 0;
export const GARAGE_CLOSED = 1;
const POSITION_SERVICES = ['window_covering', 'window', 'door'] as const;

export function openingServiceOf(accessory: HomeAccessory): HomeService | undefined {
  return serviceOf(accessory, 'garage_door') ?? serviceOf(accessory, ...POSITION_SERVICES);
}

export function readOpening(service: HomeService | undefined): Opening {
  const isObstructed = flagOf(service, 'obstruction_detected') ?? false;
  if (service?.type === 'garage_door') {
    const current = DOOR_STATES[numberOf(service, 'current_door_state') ?? -1] ?? 'unknown';
    const target = numberOf(service, 'target_door_state');
    // The target was set a moment ago, and the door has not begun to move.
    const isAsked =
      (current === 'open' && target === GARAGE_CLOSED) || (current === 'closed' && target === GARAGE_OPEN);
    const state = isAsked ? (target === GARAGE_OPEN ? 'opening' : 'closing') : current;
    return { state, position: undefined, isObstructed };
  }
  const position = numberOf(service, 'current_position');
  const target = numberOf(service, 'target_position');
  return { state: stateAt(position, target, numberOf(service, 'position_state')), position, isObstructed };
}

/** Many devices never report movement, so the target counts too; some stay one percent away from it for ever. */
function stateAt(position: number | undefined, target: number | undefined, moving: number | undefined): OpeningState {
  if (moving === 0) return 'closing';
  if (moving === 1) return 'opening';
  if (position === undefined) return 'unknown';
  const distance = (target ?? position) - position;
  if (moving === undefined && Math.abs(distance) > 1) return distance > 0 ? 'opening' : 'closing';
  if (position <= 0) return 'closed';
  return position >= 100 ? 'open' : 'partly';
}

const ICONS = {
  garage_door: { open: Warehouse, closed: Warehouse },
  window: { open: AppWindow, closed: AppWindow },
  door: { open: DoorOpen, closed: DoorClosed },
} as const;

export const opening: DeviceKind = {
  look(accessory) {
    const service = openingServiceOf(accessory);
    const { state, isObstructed } = readOpening(service);
    if (isObstructed) return { icon: TriangleAlert, tone: 'bad' };
    const icons = ICONS[service?.type as keyof typeof ICONS] ?? { open: Blinds, closed: Blinds };
    if (state === 'closed' || state === 'unknown') return { icon: icons.closed, tone: 'off' };
    // An open garage lets people in; other open things are normal during the day.
    return { icon: icons.open, tone: service?.type === 'garage_door' ? 'note' : 'plain' };
  },
  describe(accessory, t, format) {
    const { state, position, isObstructed } = readOpening(openingServiceOf(accessory));
    if (state === 'unknown') return line(isObstructed && t.opening.obstructed, t.noValue);
    const where = state === 'partly' ? t.opening.partly({ percent: format.percent(position ?? 0) }) : t.opening[state];
    return line(isObstructed && t.opening.obstructed, where);
  },
  act(accessory) {
    const service = openingServiceOf(accessory);
    const { state } = readOpening(service);
    const isClosed = state === 'closed' || state === 'closing';
    if (service?.type === 'garage_door') {
      const writes = writeOf(accessory, service, 'target_door_state', isClosed ? GARAGE_OPEN : GARAGE_CLOSED);
      return writes.length > 0 ? { question: isClosed ? 'openGarage' : 'closeGarage', writes } : undefined;
    }
    // Doors and windows may move where a person stands, so a tap opens their sheet first.
    if (service?.type !== 'window_covering' || !characteristicOf(service, 'target_position')?.canWrite)
      return undefined;
    return { writes: writeOf(accessory, service, 'target_position', isClosed ? 100 : 0) };
  },
  level(accessory) {
    const service = openingServiceOf(accessory);
    if (service?.type !== 'window_covering') return undefined;
    return levelOf(accessory, service, 'position', 'target_position');
  },
};
