import { CHARACTERISTIC } from '../../../hap-spec/characteristics.ts';
import { SERVICE } from '../../../hap-spec/services.ts';
import type { CharacteristicValue } from '../../../home/model.ts';
import { parseBoolean } from '../../../home/vocabulary/values.ts';
import { hold, type OperationRequest, requireNoInput, type VirtualKind } from './kind.ts';

const OPERATIONS = ['turn_on', 'turn_off', 'toggle', 'set'] as const;

/** A switch: HAP's Switch service, so that every client that supports switches supports it. */
export const inputBoolean: VirtualKind<'input_boolean'> = {
  type: 'input_boolean',
  word: 'switch',
  noun: 'a switch',
  serviceType: SERVICE.switch,
  category: 8,
  fields: ['initialValue'],
  operations: OPERATIONS,
  parse: (fields, current) => ({
    initialValue: parseBoolean(fields.raw('initialValue') ?? current?.initialValue ?? false, 'initialValue'),
  }),
  characteristic: () => ({ type: CHARACTERISTIC.powerState, format: 'bool' }),
  initialValue: ({ initialValue }) => initialValue,
  write: (_config, _held, value) => hold(value),
  operate: (_config, request) => hold(operate(request)),
};

function operate({ operation, input, held }: OperationRequest): CharacteristicValue {
  if (operation === 'set') return parseBoolean(input, 'value');
  requireNoInput(operation, input);
  return operation === 'toggle' ? held.value !== true : operation === 'turn_on';
}
