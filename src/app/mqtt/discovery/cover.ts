import { type Describe, type EntityConfig, numbersOf, type ServicePart } from './entity.ts';
import { wholeValueOf, wordOf } from './templates.ts';

/** Home Assistant's device class and what it is called, by service. */
const KINDS: Readonly<Record<string, readonly [deviceClass: string, label: string]>> = {
  '41': ['garage', 'Garage door'],
  '81': ['door', 'Door'],
  '8B': ['window', 'Window'],
  '8C': ['blind', 'Blind'],
};

const DOOR_STATES = new Map([
  [0, 'open'],
  [1, 'closed'],
  [2, 'opening'],
  [3, 'closing'],
  [4, 'stopped'],
]);

/** Position State. What rests is open or closed by its position. */
const MOVEMENTS = new Map([
  [0, 'closing'],
  [1, 'opening'],
  [2, 'stopped'],
]);

/** Slats lie flat, which lets most through; upright either way they are closed. */
const TILT_OPEN = 0;
const TILTS = [
  ['6C', '7B'],
  ['6E', '7D'],
] as const;

export const cover: Describe = (part) => {
  const [deviceClass, label] = KINDS[part.service.type] ?? ['blind', 'Cover'];
  const described = part.service.type === '41' ? describeDoor(part) : describePosition(part);
  if (!described) return undefined;
  const [object, config] = described;
  return { component: 'cover', object, label, config: { device_class: deviceClass, ...config } };
};

/** A garage door by its own states: half open is not among its commands. */
function describeDoor(part: ServicePart): readonly [object: string, config: EntityConfig] | undefined {
  const target = part.useWritable('32');
  if (!target) return undefined;
  const current = part.use('E') ?? target;
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
  const target = part.useWritable('7C');
  if (!target) return undefined;
  const current = part.use('6D') ?? target;
  const hold = part.useWritable('6F');
  const movement = part.use('72');
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
