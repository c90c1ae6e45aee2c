import { INTEGER_LIMITS } from '../../../hap-spec/formats.ts';
import { type CharacteristicShape, hold, type OwnConfig, requireNoInput, type VirtualKind } from './kind.ts';
import { initialNumber, operateNumber, requireOrder, requireStepWithin } from './numbers.ts';
import { typesNamed } from './spec-types.ts';

const { serviceType, type } = typesNamed('virtual_count');

const { min: MIN = 0, max: MAX = 0 } = INTEGER_LIMITS.int ?? {};
const LIMITS = { min: MIN, max: MAX, integer: true } as const;
const STEP_LIMITS = { min: 1, max: MAX, integer: true } as const;

/**
 * Counts in whole numbers. `step` is the amount of an increment or decrement; any whole number within its bounds may be
 * set.
 */
export const counter: VirtualKind<'counter'> = {
  type: 'counter',
  word: 'counter',
  noun: 'a counter',
  serviceType,
  category: 10,
  fields: ['initialValue', 'step', 'min', 'max'],
  operations: ['increment', 'decrement', 'reset', 'set'],
  parse(fields, current) {
    const min = fields.optionalNumber('min', current?.min ?? null, LIMITS);
    const max = fields.optionalNumber('max', current?.max ?? null, LIMITS);
    requireOrder(min, max);
    const width = (max ?? MAX) - (min ?? MIN);
    const step = fields.number('step', Math.min(current?.step ?? 1, width), STEP_LIMITS);
    requireStepWithin(step, width);
    const bounds = { min, max };
    const initial = initialNumber(shapeOf(bounds), fields.raw('initialValue'), current?.initial ?? 0);
    return { ...bounds, step, initial };
  },
  characteristic: shapeOf,
  initialValue: ({ initial }) => initial,
  write: (_config, _held, value) => hold(value),
  operate(config, request) {
    if (request.operation !== 'reset') return hold(operateNumber(request, shapeOf(config), config.step));
    requireNoInput(request.operation, request.input);
    return hold(config.initial);
  },
};

function shapeOf({ min, max }: Pick<OwnConfig<'counter'>, 'min' | 'max'>): CharacteristicShape {
  return { type, format: 'int', minValue: min ?? MIN, maxValue: max ?? MAX, minStep: 1 };
}
