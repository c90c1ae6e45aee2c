import { CHARACTERISTIC } from '../../../hap-spec/characteristics.ts';
import { SERVICE } from '../../../hap-spec/services.ts';
import { type Describe, type EntityConfig, numbersOf, type ServicePart } from './entity.ts';
import { wholeValueOf, wordOf } from './templates.ts';

/** Home Assistant's device class and label, by service. */
const KINDS: Readonly<Record<string, readonly [deviceClass: string, label: string]>> = {
  [SERVICE.garageDoor]: ['garage', 'Garage door'],
  [SERVICE.door]: ['door', 'Door'],
  [SERVICE.window]: ['window', 'Window'],
  [SERVICE.windowCovering]: ['blind', 'Blind'],
};

const DOOR_STATES = new Map([
  [0, 'open'],
  [1, 'closed'],
  [2, 'opening'],
  [3, 'closing'],
  [4, 'stopped'],
]);

/** Position State. A stopped cover is open or closed by its position. */
const MOVEMENTS = new Map([
  [0, 'closing'],
  [1, 'opening'],
  [2, 'stopped'],
]);

/** Horizontal slats let most light through; vertical in either direction is closed. */
const TILT_OPEN = 0;
const TILTS = [
  [CHARACTERISTIC.currentHorizontalTilt, CHARACTERISTIC.targetHorizontalTilt],
  [CHARACTERISTIC.currentVerticalTilt, CHARACTERISTIC.targetVerticalTilt],
] as const;

export const cover: Describe = (part) => {
  const [deviceClass, label] = KINDS[part.service.type] ?? ['blind', 'Cover'];
  const described = part.service.type === SERVICE.garageDoor ? describeDoor(part) : describePosition(part);
  if (!described) return undefined;
  const [object, config] = described;
  return { component: 'cover', object, label, config: { device_class: deviceClass, ...config } };
};

/** A garage door has its own states; half open is not one of its commands. */
function describeDoor(part: ServicePart): readonly [object: string, config: EntityConfig] | undefined {
  const target = part.useWritable(CHARACTERISTIC.targetDoorState);
  if (!target) return undefined;
  const current = part.use(CHARACTERISTIC.currentDoorState) ?? target;
  return [
    current.key,
    {
      state_topic: current.stateTopic,
      value_template: wordOf(current.key, DOOR_STATES),
      command_topic: target.setTopic,
      payload_open: '0',
      payload_close: '1',
      payload_stop: null,
    },
  ];
}

function describePosition(part: ServicePart): readonly [object: string, config: EntityConfig] | undefined {
  const target = part.useWritable(CHARACTERISTIC.targetPosition);
  if (!target) return undefined;
  const current = part.use(CHARACTERISTIC.currentPosition) ?? target;
  const hold = part.useWritable(CHARACTERISTIC.holdPosition);
  const movement = part.use(CHARACTERISTIC.positionState);
  return [
    current.key,
    {
      position_topic: current.stateTopic,
      position_template: wholeValueOf(current.key),
      set_position_topic: target.setTopic,
      position_open: 100,
      position_closed: 0,
      command_topic: part.setTopic,
      payload_open: JSON.stringify({ [target.key]: 100 }),
      payload_close: JSON.stringify({ [target.key]: 0 }),
      payload_stop: hold ? JSON.stringify({ [hold.key]: true }) : null,
      ...(movement && { state_topic: movement.stateTopic, value_template: wordOf(movement.key, MOVEMENTS) }),
      ...describeTilt(part),
    },
  ];
}

function describeTilt(part: ServicePart): EntityConfig {
  for (const [currentType, targetType] of TILTS) {
    const target = part.useWritable(targetType);
    if (!target) continue;
    const current = part.use(currentType) ?? target;
    const { min = -90, max = 90 } = numbersOf(target);
    return {
      tilt_command_topic: target.setTopic,
      tilt_status_topic: current.stateTopic,
      tilt_status_template: wholeValueOf(current.key),
      tilt_min: min,
      tilt_max: max,
      tilt_opened_value: TILT_OPEN,
      tilt_closed_value: min,
    };
  }
  return {};
}
