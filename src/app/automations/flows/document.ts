/**
 * A flow as a YAML or JSON text that people can store, share and import. It contains ids, because it is the input of
 * `parseFlow`, and the name of each id, so that another home can substitute its own.
 */
import { stringify as stringifyYaml } from 'yaml';
import type { DocumentFormat } from '../../../contract/flows.ts';
import { HearthError, messageOf } from '../../../kernel/errors.ts';
import type { Json, JsonObject } from '../../../kernel/json.ts';
import { inSlices, type SlicedWork } from '../../../kernel/slices.ts';
import type { Flow } from '../flow.ts';
import { fault } from '../parsing/faults.ts';
import { Fields } from '../parsing/fields.ts';
import { hasAtMost, mapTexts, parseJson } from '../parsing/json.ts';
import { replaceUuids, uuidsIn } from '../parsing/parsing.ts';
import { withoutWebhookIds } from '../secrets.ts';
import {
  describeReference,
  findReferences,
  KINDS,
  type NamedReference,
  type NameResolver,
  nameOfReference,
} from './named-references.ts';
import { MAX_VALUES } from './parse-flow.ts';
import { presentDefinition } from './present-flow.ts';
import type { YamlThread } from './yaml-thread.ts';

/** The first line of every document; an incompatible format gets another number. */
const SHAPE = 'flow/1';

/** A flow has at most 256 KiB as JSON; YAML with names beside its ids may be longer. */
const MAX_BYTES = 512 * 1024;
const MAX_REFERENCES = 2_000;
/** Each reference is an object of three texts. */
const MAX_REFERENCE_VALUES = 4 * MAX_REFERENCES;
/** Nested actions, and nested values in them. */
const MAX_LEVELS = 200;

/** A longer YAML document is written in another thread: that is slow, and so is starting the thread. */
const MAX_WRITTEN_AT_ONCE = { bytes: 16 * 1024, values: 1_000 };

/**
 * Omits the ids of webhooks, which belong to this home alone. Lets the event loop run while a long document is written.
 */
export async function writeFlowDocument(
  flow: Flow,
  format: DocumentFormat,
  { around, yaml }: { readonly around: NameResolver; readonly yaml: Pick<YamlThread, 'write'> },
): Promise<string> {
  const definition = presentDefinition(withoutWebhookIds(flow));
  const shown = Object.fromEntries(Object.entries(definition).filter(([, value]) => value !== null));
  const { id, name, enabled } = flow;
  const document = { hearthd: SHAPE, id, name, enabled, ...shown, references: referencesOf(flow, around) };
  if (format === 'json') return `${JSON.stringify(document, null, 2)}\n`;
  const json = JSON.stringify(document);
  const { bytes, values } = MAX_WRITTEN_AT_ONCE;
  if (Buffer.byteLength(json) <= bytes && hasAtMost(values, document)) {
    return stringifyYaml(document, { aliasDuplicateObjects: false, lineWidth: 0 });
  }
  try {
    return await yaml.write(json);
  } catch (error) {
    throw new HearthError('conflict', `The document can’t be written: ${messageOf(error)}.`, {}, { cause: error });
  }
}

interface ReadOptions {
  /** Detected if omitted. */
  readonly format?: DocumentFormat | undefined;
  /** The id of the new flow. */
  readonly flowId: string;
  /** Called after the text has been parsed. */
  readonly around: () => NameResolver;
  readonly yaml: Pick<YamlThread, 'read'>;
}

/**
 * Lets the event loop run between slices.
 * @returns the input of `parseFlow`, with the ids of this home
 * @throws `invalid_request` it is not a flow document · `invalid_value` naming everything that the home does not have
 */
export async function readFlowDocument(
  text: string,
  { format, flowId, around, yaml }: ReadOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const read = await readText(text, format, yaml);
  return inSlices(resolveSteps(read, flowId, around()));
}

function* resolveSteps(
  read: unknown,
  flowId: string,
  around: NameResolver,
): SlicedWork<Readonly<Record<string, unknown>>> {
  const { hearthd, id, references, ...data } = toObject(read);
  yield;
  if (hearthd !== SHAPE) {
    throw new HearthError('invalid_request', `This is not a hearthd flow: it needs the line "hearthd: ${SHAPE}".`, {
      field: 'hearthd',
    });
  }
  const ids = resolveAll(references, around);
  if (typeof id === 'string') ids.set(id.toLowerCase(), flowId);
  yield;
  return mapTexts(data, (value) => replaceUuids(value, ids)) as Readonly<Record<string, unknown>>;
}

function referencesOf(flow: Flow, around: NameResolver): Readonly<Record<string, NamedReference>> {
  const { triggers, conditions, actions, variables } = flow;
  const ids = [...uuidsIn([triggers, conditions, actions, variables])].filter((id) => id !== flow.id);
  const named = ids.flatMap((id) => {
    const reference = nameOfReference(id, around);
    return reference ? [[id, reference] as const] : [];
  });
  return Object.fromEntries(named);
}

async function readText(
  input: string,
  format: DocumentFormat | undefined,
  yaml: Pick<YamlThread, 'read'>,
): Promise<unknown> {
  if (Buffer.byteLength(input) > MAX_BYTES) {
    throw refused(`it is longer than ${MAX_BYTES / 1024} KiB`);
  }
  // Some editors begin every file with a byte order mark.
  const text = input.replace(/^\uFEFF/, '');
  const isJson = format === undefined ? text.trimStart().startsWith('{') : format === 'json';
  try {
    if (isJson) return JSON.parse(text);
    return await yaml.read(text);
  } catch (error) {
    throw refused(whyUnreadable(error));
  }
}

/** The first line of the message: the others quote the text, which may be long. */
function whyUnreadable(error: unknown): string {
  const [line = ''] = messageOf(error).split('\n');
  return line.replace(/[:.]$/, '');
}

function toObject(value: unknown): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refused('it must be an object that begins with "hearthd"');
  }
  if (!hasAtMost(MAX_VALUES + MAX_REFERENCE_VALUES, value)) throw refused('it is too long for a flow');
  return parseJson(value, 'document', MAX_LEVELS) as JsonObject;
}

function resolveAll(input: Json | undefined, around: NameResolver): Map<string, string> {
  const ids = new Map<string, string>();
  if (input === undefined || input === null) return ids;
  const fields = new Fields(input, 'references', 'references');
  const missing: string[] = [];
  const ambiguous: string[] = [];
  const entries = Object.keys(input);
  if (entries.length > MAX_REFERENCES)
    throw fault('invalid_value', 'references', `there are more than ${MAX_REFERENCES}`);
  for (const id of entries) {
    const reference = parseReference(fields.raw(id), fields.at(id));
    const [found, ...others] = findReferences(id.toLowerCase(), reference, around);
    if (found === undefined) missing.push(describeReference(reference));
    else if (others.length > 0) ambiguous.push(`${describeReference(reference)} (${listIds([found, ...others])})`);
    else ids.set(id.toLowerCase(), found);
  }
  if (missing.length === 0 && ambiguous.length === 0) return ids;
  const sentences = [
    ...(missing.length > 0 ? [`not found: ${missing.join(', ')}. Make what is missing first`] : []),
    ...(ambiguous.length > 0
      ? [`more than one has the name: ${ambiguous.join(', ')}. In the document, write one of these ids instead`]
      : []),
  ];
  throw fault('invalid_value', 'references', sentences.join('. '));
}

/** More ids would make the message unreadable. */
const MAX_LISTED_IDS = 5;

function listIds(ids: readonly string[]): string {
  const more = ids.length - MAX_LISTED_IDS;
  return `${ids.slice(0, MAX_LISTED_IDS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
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
