/** Coverings, locks and valves. */
import type { CharacteristicName } from '../../../hap-spec/characteristics.ts';
import type { MatterAttributes, MatterClusters, MatterEndpoint } from '../../../home/matter-port.ts';
import type { CharacteristicValue } from '../../../home/model.ts';
import { LOCK_PIN_PAUSE_S, LOCK_PIN_TRIES, MAX_LOCK_PIN, MIN_LOCK_PIN } from '../../../home/vocabulary/lock-pins.ts';
import { type ClusterRow, clamp, type HapSettings, numberIn } from './cluster-row.ts';
import type { HapServiceView } from './hap-service-view.ts';

/** Matter counts in hundredths from open, HAP in percent from closed. */
const CLOSED = 10_000;
const PER_PERCENT = 100;
const ROLLER_SHADE = 0;
const TILT_BLIND = 8;
const TILTS = [
  { current: 'current_horizontal_tilt', target: 'target_horizontal_tilt' },
  { current: 'current_vertical_tilt', target: 'target_vertical_tilt' },
] as const;

export const COVERING: ClusterRow = {
  cluster: 'windowCovering',
  features: (service) => ['Lift', 'PositionAwareLift', ...(tiltOf(service) ? ['Tilt', 'PositionAwareTilt'] : [])],
  fixed: (service) => ({ type: tiltOf(service) ? TILT_BLIND : ROLLER_SHADE, endProductType: 0 }),
  read: (service) => {
    const position = service.number('current_position') ?? 0;
    const tilt = tiltOf(service);
    return {
      currentPositionLiftPercent100ths: toMatter(position),
      targetPositionLiftPercent100ths: toMatter(service.number('target_position') ?? position),
      ...(tilt
        ? {
            currentPositionTiltPercent100ths: tiltToMatter(service, tilt.current),
            targetPositionTiltPercent100ths: tiltToMatter(service, tilt.target),
          }
        : {}),
    };
  },
  write: (changes, service) => {
    const lift = numberIn(changes, 'targetPositionLiftPercent100ths');
    const tilted = numberIn(changes, 'targetPositionTiltPercent100ths');
    const tilt = tiltOf(service);
    return {
      ...(lift === undefined ? {} : { target_position: clamp(100 - Math.round(lift / PER_PERCENT), 0, 100) }),
      ...(tilted === undefined || !tilt ? {} : { [tilt.target]: tiltFromMatter(service, tilt.target, tilted) }),
    };
  },
};

/** Where it is now, for a covering that has no command for it. */
export function stopSettings(service: HapServiceView): HapSettings {
  if (service.canWrite('hold_position')) return { hold_position: true };
  const position = service.number('current_position');
  return position === undefined ? {} : { target_position: position };
}

function tiltOf(service: HapServiceView) {
  return TILTS.find(({ target }) => service.canWrite(target));
}

function toMatter(position: number): number {
  return clamp(CLOSED - Math.round(position * PER_PERCENT), 0, CLOSED);
}

/** Its range of angles, from open to closed. */
function tiltToMatter(service: HapServiceView, name: CharacteristicName): number {
  const { min, max } = anglesOf(service, name);
  const share = ((service.number(name) ?? min) - min) / (max - min);
  return clamp(Math.round(share * CLOSED), 0, CLOSED);
}

function tiltFromMatter(service: HapServiceView, name: CharacteristicName, tilt: number): CharacteristicValue {
  const { min, max } = anglesOf(service, name);
  return Math.round(min + (tilt / CLOSED) * (max - min));
}

function anglesOf(service: HapServiceView, name: CharacteristicName): { readonly min: number; readonly max: number } {
  const { minValue = -90, maxValue = 90 } = service.find(name) ?? {};
  return { min: minValue, max: maxValue > minValue ? maxValue : minValue + 1 };
}

const LOCK_STATE = { notFullyLocked: 0, locked: 1, unlocked: 2 } as const;
/** HAP: unsecured, secured, jammed, unknown. */
const LOCK_STATES = [LOCK_STATE.unlocked, LOCK_STATE.locked, LOCK_STATE.notFullyLocked, null] as const;

/** Of a lock without a PIN of the publication. Ecosystems may ask for their own before they unlock. */
export const LOCK: ClusterRow = {
  cluster: 'doorLock',
  fixed: () => ({ lockType: 0, actuatorEnabled: true, operatingMode: 0 }),
  read: (service) => ({ lockState: LOCK_STATES[service.number('lock_current_state') ?? 3] ?? null }),
  write: (changes) => {
    const state = numberIn(changes, 'lockState');
    return state === undefined ? {} : { lock_target_state: Number(state === LOCK_STATE.locked) };
  },
};

/** What the specification has for a PIN in the commands of a lock. `User` comes with it. */
const PIN_FEATURES = ['PinCredential', 'CredentialOverTheAirAccess', 'User'] as const;
/** One user with one PIN, whom controllers neither see nor change. */
const PIN_ATTRIBUTES: MatterAttributes = {
  requirePinForRemoteOperation: true,
  minPinCodeLength: MIN_LOCK_PIN,
  maxPinCodeLength: MAX_LOCK_PIN,
  wrongCodeEntryLimit: LOCK_PIN_TRIES,
  userCodeTemporaryDisableTime: LOCK_PIN_PAUSE_S,
  numberOfPinUsersSupported: 1,
  numberOfTotalUsersSupported: 1,
  numberOfCredentialsSupportedPerUser: 1,
  credentialRulesSupport: { single: true, dual: false, tri: false },
};

/** The features of an endpoint, those of a lock with a PIN among them. */
export function withLockPinFeatures(features: MatterEndpoint['features']): MatterEndpoint['features'] {
  return LOCK.cluster in features ? { ...features, [LOCK.cluster]: PIN_FEATURES } : features;
}

/** The attributes of an endpoint, those of a lock with a PIN among them. */
export function withLockPin(clusters: MatterClusters): MatterClusters {
  const lock = clusters[LOCK.cluster];
  return lock ? { ...clusters, [LOCK.cluster]: { ...lock, ...PIN_ATTRIBUTES } } : clusters;
}

export const VALVE: ClusterRow = {
  cluster: 'valveConfigurationAndControl',
  fixed: () => ({ openDuration: null, defaultOpenDuration: null, remainingDuration: null }),
  read: (service) => {
    const isActive = service.isOn('active');
    return {
      currentState: Number(service.has('in_use') ? service.isOn('in_use') : isActive),
      targetState: Number(isActive),
    };
  },
  write: (changes) => {
    const state = numberIn(changes, 'targetState');
    return state === undefined ? {} : { active: Number(state === 1) };
  },
};
