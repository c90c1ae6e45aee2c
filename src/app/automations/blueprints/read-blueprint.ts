/** Reads a blueprint from a file or from a client: its version, its fields, and the references in its automation. */
import { BLUEPRINT_VERSION, Blueprint, type BlueprintInput } from '../../../contract/blueprints.ts';
import { parseInput } from '../../../contract/parse.ts';
import { characteristicByName } from '../../../hap-spec/characteristics.ts';
import { MAX_BLUEPRINT_BYTES } from '../../../home/vocabulary/limits.ts';
import { shorten } from '../../../home/vocabulary/values.ts';
import { HearthError } from '../../../kernel/errors.ts';
import { isUuid } from '../../../kernel/ids.ts';
import type { Json, JsonObject } from '../../../kernel/json.ts';
import type { ErrorReason } from '../../../kernel/reasons.ts';
import { MAX_VALUES } from '../flows/parse-flow.ts';
import { invalid } from '../parsing/faults.ts';
import { hasAtMost, parseJsonObject } from '../parsing/json.ts';
import { isJsonObject, isList, PARTS, referencesIn, splitReference } from './references.ts';

/** A blueprint whose references are all to its own inputs. */
export type ReadBlueprint = Omit<Blueprint, 'automation'> & { readonly automation: JsonObject };

/**
 * @throws `invalid_request` it is too large, no JSON, no blueprint, of a newer version, or a field is missing or
 * unknown · `invalid_value` naming the field
 */
export function readBlueprintFile(text: string): ReadBlueprint {
  if (Buffer.byteLength(text) > MAX_BLUEPRINT_BYTES) throw tooLarge();
  let value: unknown;
  try {
    // Some editors begin every file with a byte order mark.
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw refused('blueprint_not_json', 'This file is not JSON. Choose a blueprint that hearthd exported.');
  }
  return readBlueprint(value);
}

/** The same for JSON. @throws like it */
export function readBlueprint(value: unknown): ReadBlueprint {
  requireBlueprint(value);
  const blueprint = parseInput(Blueprint, value);
  const automation = parseJsonObject(blueprint.automation, 'automation');
  requireInputs(blueprint.inputs);
  requireReferences(automation, blueprint.inputs);
  requireMarkers(automation, 'automation');
  return { ...blueprint, automation };
}

function requireBlueprint(value: unknown): void {
  const version = typeof value === 'object' && value !== null ? Reflect.get(value, 'hearthd_blueprint') : undefined;
  if (version === undefined) {
    throw refused('no_blueprint', 'This is no blueprint of hearthd: it has no "hearthd_blueprint".');
  }
  if (typeof version === 'number' && version > BLUEPRINT_VERSION) {
    const sentence = `It was made by a newer hearthd (version ${version}); this one reads ${BLUEPRINT_VERSION}. Update hearthd, then import it again.`;
    throw refused('blueprint_newer', sentence);
  }
  if (bytesOf(value) > MAX_BLUEPRINT_BYTES || !hasAtMost(MAX_VALUES, value)) throw tooLarge();
}

/** @throws `invalid_request` it is nested too deeply to be written */
function bytesOf(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch {
    throw tooLarge();
  }
}

function requireInputs(inputs: readonly BlueprintInput[]): void {
  const known = new Set<string>();
  for (const [index, input] of inputs.entries()) {
    const path = `inputs[${index}]`;
    if (known.has(input.id)) throw invalid(`${path}.id`, `there is another input "${input.id}"; each needs its own`);
    known.add(input.id);
    if (input.multiple && input.kind !== 'accessory' && input.kind !== 'person') {
      throw invalid(`${path}.multiple`, 'only accessories and people can be several');
    }
    for (const list of ['needs', 'anyOf'] as const) {
      for (const [at, name] of (input[list] ?? []).entries()) requireProperty(name, `${path}.${list}[${at}]`);
    }
    if (input.min !== undefined && input.max !== undefined && input.min > input.max) {
      throw invalid(`${path}.max`, 'it must be at least min');
    }
  }
}

/** `power_state`, `power_state_2`, or the UUID of a maker’s own characteristic. */
function requireProperty(name: string, path: string): void {
  const base = name.replace(/_\d{1,2}$/, '');
  if ([name, base].some((one) => isUuid(one) || characteristicByName(one) !== undefined)) return;
  throw invalid(path, `this hearthd knows no property "${shorten(name)}"`);
}

function requireReferences(automation: JsonObject, inputs: readonly BlueprintInput[]): void {
  const byId = new Map(inputs.map((input) => [input.id, input]));
  for (const { reference, marker, path } of referencesIn(automation, 'automation')) {
    const { id, part } = splitReference(reference);
    const input = byId.get(id);
    if (!input) throw invalid(path, `there is no input "${shorten(id)}"`);
    if (part !== undefined && (marker !== undefined || !PARTS.some((one) => one === part))) {
      throw invalid(path, `an input has no part "${shorten(part)}"`);
    }
    if (marker === '$each' && !input.multiple) throw invalid(path, `the input "${id}" is not several`);
  }
}

/** Markers belong to items of lists, and are texts. */
function requireMarkers(value: Json, path: string, isItem = false): void {
  if (isList(value)) {
    for (const [index, item] of value.entries()) requireMarkers(item, `${path}[${index}]`, true);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const here = `${path}.${name}`;
    if (name.startsWith('$') && !(isItem && typeof member === 'string' && MARKER.test(name))) {
      throw invalid(here, isItem ? 'there is no such marker' : 'only items of lists have markers');
    }
    if (name === '$has' && value.$each === undefined) throw invalid(here, 'it needs $each beside it');
    if (member !== undefined) requireMarkers(member, here);
  }
}

const MARKER = /^\$(each|has|if|unless)$/;

function tooLarge(): HearthError {
  return refused(
    'blueprint_too_large',
    `This file is too large: a blueprint has at most ${MAX_BLUEPRINT_BYTES / 1024} KiB.`,
  );
}

function refused(reason: ErrorReason, sentence: string): HearthError {
  return new HearthError('invalid_request', sentence, { reason, field: 'file' });
}
