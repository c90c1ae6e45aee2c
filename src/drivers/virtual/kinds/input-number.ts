import { type CharacteristicShape, hold, type OwnConfig, type VirtualKind } from './kind.ts';
import { initialNumber, operateNumber, requireOrder, requireStepWithin } from './numbers.ts';
import { typesNamed } from './spec-types.ts';

const { serviceType, type } = typesNamed('virtual_number');

/** Doubles represent whole numbers exactly up to this. */
const LIMITS = { min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER };
/** A step below a millionth is within float rounding errors. */
const STEP_LIMITS = { min: 0.000_001, max: Number.MAX_SAFE_INTEGER };
const MAX_UNIT_LENGTH = 16;

const DEFAULTS = { min: 0, max: 100, step: 1, initialValue: 0 };

/** A number between two bounds, in multiples of a step. */
export const inputNumber: VirtualKind<'input_number'> = {
  type: 'input_number',
  word: 'number',
  noun: 'a number',
  serviceType,
  category: 10,
  fields: ['min', 'max', 'step', 'initialValue', 'unit', 'control'],
  operations: ['set', 'increment', 'decrement'],
  parse(fields, current) {
    const min = fields.number('min', current?.min ?? DEFAULTS.min, LIMITS);
    const max = fields.number('max', current?.max ?? DEFAULTS.max, LIMITS);
    requireOrder(min, max);
    const width = max - min;
    const step = fields.number('step', Math.min(current?.step ?? DEFAULTS.step, width), STEP_LIMITS);
    requireStepWithin(step, width);
    const unit = fields.optionalText('unit', current?.unit ?? null, MAX_UNIT_LENGTH);
    const control = fields.oneOf('control', current?.control ?? 'stepper', ['stepper', 'field']);
    const bounds = { min, max, step, unit };
    const fallback = current?.initialValue ?? DEFAULTS.initialValue;
    const initialValue = initialNumber(shapeOf(bounds), fields.raw('initialValue'), fallback);
    return { ...bounds, initialValue, control };
  },
  characteristic: shapeOf,
  initialValue: ({ initialValue }) => initialValue,
  write: (_config, _held, value) => hold(value),
  operate: (config, request) => hold(operateNumber(request, shapeOf(config), config.step)),
};

function shapeOf({
  min,
  max,
  step,
  unit,
}: Pick<OwnConfig<'input_number'>, 'min' | 'max' | 'step' | 'unit'>): CharacteristicShape {
  return { type, format: 'float', minValue: min, maxValue: max, minStep: step, ...(unit !== null && { unit }) };
}
