/**
 * A flow as a text for people to keep, share and take in elsewhere, as YAML or JSON. It holds ids, for it is what `parseFlow` takes,
 * and says beside them what they were called, so that another home can put its own in their place.
 */
import { stringify as stringifyYaml } from 'yaml';
import { HearthError, messageOf } from '../../../kernel/errors.ts';
import type { Flow, Json, JsonObject } from '../flow.ts';
import { withoutWebhookIds } from '../secrets.ts';
import { fault } from './faults.ts';
import { Fields } from './fields.ts';
import { mapTexts, parseJson } from './json.ts';
import {
  describeReference,
  findReference,
  KINDS,
  type NamedReference,
  type Neighbourhood,
  nameOfReference,
} from './named-references.ts';
import { replaceUuids, uuidsIn } from './parsing.ts';
import { presentDefinition } from './present-flow.ts';
import { readYaml } from './read-yaml.ts';

export const DOCUMENT_FORMATS = ['yaml', 'json'] as const;
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

/** The first line of every document; another number for a shape that this one can't be read as. */
const SHAPE = 'flow/1';

/** A flow has at most 256 KiB as JSON; as YAML, with names beside its ids, it may be longer. */
const MAX_BYTES = 512 * 1024;
const MAX_REFERENCES = 2_000;
/** Actions within actions, and values within those. */
const MAX_LEVELS = 200;

/** Without ids of webhooks, which are of this house alone. */
export function writeFlowDocument(flow: Flow, format: DocumentFormat, around: Neighbourhood): string {
  const definition = presentDefinition(withoutWebhookIds(flow));
  const shown = Object.fromEntries(Object.entries(definition).filter(([, value]) => value !== null));
  const { id, name, enabled } = flow;
  const document = { hearthd: SHAPE, id, name, enabled, ...shown, references: referencesOf(flow, around) };
  if (format === 'json') return `${JSON.stringify(document, null, 2)}\n`;
  return stringifyYaml(document, { aliasDuplicateObjects: false, lineWidth: 0 });
}

/**
 * @param flowId of the flow that it will be
 * @returns what `parseFlow` takes, with the ids of this home
 * @throws `invalid_request` it is no such document · `invalid_value` naming everything that the home has not
 */
export function readFlowDocument(
  text: string,
  format: DocumentFormat | undefined,
  flowId: string,
  around: Neighbourhood,
): Readonly<Record<string, unknown>> {
  const { hearthd, id, references, ...data } = toObject(readText(text, format));
  if (hearthd !== SHAPE) {
    throw new HearthError('invalid_request', `This is no flow of hearthd: it must say "hearthd: ${SHAPE}".`, {
      field: 'hearthd',
    });
  }
  const ids = resolveAll(references, around);
  if (typeof id === 'string') ids.set(id.toLowerCase(), flowId);
  return mapTexts(data, (value) => replaceUuids(value, ids)) as Readonly<Record<string, unknown>>;
}

function referencesOf(flow: Flow, around: Neighbourhood): Readonly<Record<string, NamedReference>> {
  const { triggers, conditions, actions, variables } = flow;
  const ids = [...uuidsIn([triggers, conditions, actions, variables])].filter((id) => id !== flow.id);
  const named = ids.flatMap((id) => {
    const reference = nameOfReference(id, around);
    return reference ? [[id, reference] as const] : [];
  });
  return Object.fromEntries(named);
}

function readText(input: string, format: DocumentFormat | undefined): unknown {
  if (Buffer.byteLength(input) > MAX_BYTES) {
    throw refused(`it is longer than ${MAX_BYTES / 1024} KiB`);
  }
  // Editors of some systems begin every file with a byte order mark.
  const text = input.replace(/^\uFEFF/, '');
  const isJson = format === undefined ? text.trimStart().startsWith('{') : format === 'json';
  try {
    if (isJson) return JSON.parse(text);
    return readYaml(text);
  } catch (error) {
    throw refused(whyUnreadable(error));
  }
}

/** The first line: the others show the place in the text, which may be long. */
function whyUnreadable(error: unknown): string {
  const [line = ''] = messageOf(error).split('\n');
  return line.replace(/[:.]$/, '');
}

function toObject(value: unknown): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refused('it must be an object that begins with "hearthd"');
  }
  return parseJson(value, 'document', MAX_LEVELS) as JsonObject;
}

function resolveAll(input: Json | undefined, around: Neighbourhood): Map<string, string> {
  const ids = new Map<string, string>();
  if (input === undefined || input === null) return ids;
  const fields = new Fields(input, 'references', 'references');
  const missing: string[] = [];
  const entries = Object.keys(input);
  if (entries.length > MAX_REFERENCES)
    throw fault('invalid_value', 'references', `there are more than ${MAX_REFERENCES}`);
  for (const id of entries) {
    const reference = parseReference(fields.raw(id), fields.at(id));
    const found = findReference(id.toLowerCase(), reference, around);
    if (found === undefined) missing.push(describeReference(reference));
    else ids.set(id.toLowerCase(), found);
  }
  if (missing.length === 0) return ids;
  throw fault(
    'invalid_value',
    'references',
    `not found, or not the only one: ${missing.join(', ')}. Make what is missing first`,
  );
}

function parseReference(input: unknown, path: string): NamedReference {
  const fields = new Fields(input, path, 'reference');
  const room = fields.optionalText('room');
  const reference = {
    kind: fields.oneOf('kind', KINDS),
    name: fields.text('name'),
    ...(room !== undefined && { room }),
  };
  fields.done();
  return reference;
}

function refused(why: string): HearthError {
  return new HearthError('invalid_request', `The document can’t be read: ${why}.`, { field: 'document' });
}
