/**
 * Triggers and conditions on a value: the tools have `device`, `numeric` and `virtual` for the record's `state` and
 * `numeric_state`. One property of a virtual accessory is implied.
 */
import { z } from 'zod';
import { invalid } from '../../../app/automations/parsing/faults.ts';
import type { Accessory, CharacteristicValue } from '../../../home/model.ts';
import type { HomeWords } from './home-words.ts';
import { KindFields, type NamedKind } from './kind-fields.ts';
import { type Node, type NodeReading, presentTarget, type WireNode } from './node.ts';
import { presentNumeric, presentReading, propertyOfVirtual, requireNumeric } from './settings.ts';
import { CHARACTERISTIC, TARGET, VIRTUAL } from './vocabulary.ts';

interface Row {
  readonly schema: z.ZodRawShape;
  read(node: Node): WireNode;
}

export interface ValueRows {
  readonly rows: { readonly device: Row; readonly numeric: Row; readonly virtual: Row };
  presentState(part: ValuePart, words: HomeWords): WireNode;
  presentNumeric(part: ValuePart, words: HomeWords): WireNode;
}

interface ValuePart {
  readonly accessoryId?: string | undefined;
  readonly serviceGroupId?: string | undefined;
  readonly characteristicType: string;
}

/** @param names what the fields of `state` are called for a virtual accessory */
export function valueRows(
  state: NamedKind,
  numeric: NamedKind,
  names: Readonly<Record<string, string>> = {},
): ValueRows {
  const ofState = new KindFields(state.fields);
  const ofVirtual = new KindFields(state.fields, names);
  const ofNumeric = new KindFields(numeric.fields);
  const isOnlyOfState = Object.keys(ofVirtual.schema).filter((name) => !Object.hasOwn(ofNumeric.schema, name));

  return {
    rows: {
      device: {
        schema: { ...TARGET, characteristic: CHARACTERISTIC, ...ofState.schema },
        read(node) {
          const watched = node.watched();
          return { type: state.type, ...placeOf(watched), ...ofState.read(node, watched) };
        },
      },
      numeric: {
        schema: { ...TARGET, characteristic: CHARACTERISTIC, ...ofNumeric.schema },
        read(node) {
          const watched = node.watched();
          requireNumeric(watched.accessory, watched.characteristicType, node.fields.at('characteristic'));
          return { type: numeric.type, ...placeOf(watched), ...ofNumeric.read(node) };
        },
      },
      virtual: {
        schema: { virtual: VIRTUAL, ...z.object({ ...ofVirtual.schema, ...ofNumeric.schema }).partial().shape },
        read(node) {
          const place = readVirtual(node);
          const { fields } = node;
          if (!fields.has('above') && !fields.has('below')) {
            return { type: state.type, ...place, ...ofVirtual.read(node) };
          }
          for (const name of isOnlyOfState) {
            if (fields.has(name)) throw invalid(fields.at(name), 'give it, or above and below, not both');
          }
          return { type: numeric.type, ...place, ...ofNumeric.read(node) };
        },
      },
    },

    presentState(part, words) {
      const { wire, accessory } = presentTarget(part, words);
      const held = ofState.values.filter((name) => (part as unknown as WireNode)[name] !== undefined);
      const given = held.map((name) => (part as unknown as WireNode)[name] as CharacteristicValue);
      const { characteristic, values } = presentReading(accessory, part.characteristicType, given);
      const inWords = { ...part, ...Object.fromEntries(held.map((name, index) => [name, values[index]])) };
      return isVirtual(accessory, characteristic)
        ? { type: 'virtual', virtual: wire.accessory, ...ofVirtual.present(inWords) }
        : { type: 'device', ...wire, characteristic, ...ofState.present(inWords) };
    },

    presentNumeric(part, words) {
      const { wire, accessory } = presentTarget(part, words);
      const characteristic = presentNumeric(accessory, part.characteristicType);
      return isVirtual(accessory, characteristic)
        ? { type: 'virtual', virtual: wire.accessory, ...ofNumeric.present(part) }
        : { type: 'numeric', ...wire, characteristic, ...ofNumeric.present(part) };
    },
  };
}

function placeOf({ target, characteristicType }: NodeReading): WireNode {
  return { ...target, characteristicType };
}

function readVirtual(node: Node): WireNode {
  node.place('accessoryId', 'virtual');
  node.place('characteristicType', 'virtual');
  const accessory = node.words.virtual(node.fields);
  return { accessoryId: accessory.id, characteristicType: propertyOfVirtual(accessory) };
}

/** Whether it is a virtual accessory and only its one property is used. */
function isVirtual(accessory: Accessory | undefined, characteristic: string): boolean {
  return accessory !== undefined && accessory.virtual !== null && propertyOfVirtual(accessory) === characteristic;
}
