/**
 * A flow in the dashboard: the relay's own JSON, never converted. Fields that this version does not know stay
 * unchanged, so opening and saving a flow of another client loses nothing. The functions here only read, or return a
 * changed copy.
 */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}
/** A trigger, a condition, a block of conditions, or an action. */
export type FlowNode = JsonObject;

export interface FlowRecord extends JsonObject {
  readonly name: string;
  readonly enabled: boolean;
  readonly triggers: readonly FlowNode[];
  readonly conditions: FlowNode;
  readonly actions: readonly FlowNode[];
}

/** Fields that the relay returns with a flow and does not accept in it. */
const SHOWN_ONLY = ['webhookUrls'] as const;

export const EMPTY_BLOCK: FlowNode = { operator: 'and', conditions: [] };

/** The notes are part of the editor's own data (`uiState.notes`), by node id. */
const NOTES = 'notes';

export function emptyFlow(name: string): FlowRecord {
  return { name, enabled: true, mode: 'single', triggers: [], conditions: EMPTY_BLOCK, actions: [] };
}

/** A new automation, before the relay decides whether it is stored as a simple one or as a flow. */
export function emptyDraft(name = ''): FlowRecord {
  return { ...emptyFlow(name), ...DRAFT_ONLY };
}

/** What drafts have besides the fields of a flow: triggers that end it, and whether it acts once. */
const DRAFT_ONLY = { until: [], executeOnce: false } as const;

/** @throws `SyntaxError` it is not JSON · `TypeError` it is not a flow */
export function parseFlowText(text: string): FlowRecord {
  return toFlowRecord(JSON.parse(text));
}

/**
 * The record of a flow. Missing lists become empty. Conditions sent as a list or as a single condition become the
 * equivalent block, as on the relay.
 * @throws `TypeError` it is not an object, or its lists are not lists
 */
export function toFlowRecord(input: unknown): FlowRecord {
  if (!isObject(input)) throw new TypeError('A flow is an object');
  const kept = Object.fromEntries(Object.entries(input).filter(([key]) => !SHOWN_ONLY.some((one) => one === key)));
  return {
    ...kept,
    name: typeof input.name === 'string' ? input.name : '',
    enabled: input.enabled !== false,
    triggers: toNodes(input.triggers),
    conditions: toBlock(input.conditions),
    actions: toNodes(input.actions),
  };
}

function toNodes(input: Json | undefined): readonly FlowNode[] {
  if (input === undefined || input === null) return [];
  if (Array.isArray(input) && input.every(isObject)) return input;
  throw new TypeError('Triggers and actions are lists of objects');
}

export function toBlock(input: Json | undefined): FlowNode {
  if (input === undefined || input === null) return EMPTY_BLOCK;
  if (isList(input)) return { operator: 'and', conditions: input };
  if (!isObject(input)) throw new TypeError('Conditions are an object');
  return isBlock(input) ? input : { operator: 'and', conditions: [input] };
}

export function isBlock(node: FlowNode): boolean {
  return Array.isArray(node.conditions) && typeof node.type !== 'string';
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** The objects of a list, for display; other entries are left out, and a value that is not a list counts as empty. */
export function nodesOf(value: Json | undefined): readonly FlowNode[] {
  return isList(value) ? value.filter(isObject) : [];
}

/** Separate sentences if all of them must hold; otherwise the block is one sentence. */
export function shownConditions({ conditions: block }: FlowRecord): readonly FlowNode[] {
  const conditions = nodesOf(block.conditions);
  const isAll = block.operator === undefined || block.operator === 'and';
  return isAll || conditions.length === 0 ? conditions : [block];
}

export function textOf(node: FlowNode, name: string): string {
  const value = node[name];
  return typeof value === 'string' ? value : '';
}

export function numberOf(node: FlowNode, name: string): number | undefined {
  const value = node[name];
  return typeof value === 'number' ? value : undefined;
}

/** The strings of a list; empty if there is none. */
export function wordsOf(value: Json | undefined): readonly string[] {
  return isList(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

/** A copy with some fields set; fields that are `undefined` are removed. */
export function withFields<T extends JsonObject>(node: T, fields: JsonObject): T {
  const merged = { ...node, ...fields };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined)) as T;
}

/** Whether any string in it is a template. */
export function hasTemplate(value: Json | undefined): boolean {
  if (typeof value === 'string') return value.includes('{{');
  return typeof value === 'object' && value !== null && Object.values(value).some(hasTemplate);
}

// — notes —

export function noteOf(flow: FlowRecord, nodeId: string): string {
  const notes = isObject(flow.uiState) ? flow.uiState[NOTES] : undefined;
  return isObject(notes) ? textOf(notes, nodeId) : '';
}

export function withNote(flow: FlowRecord, nodeId: string, note: string): FlowRecord {
  const uiState = isObject(flow.uiState) ? flow.uiState : {};
  const notes = isObject(uiState[NOTES]) ? uiState[NOTES] : {};
  const next = withFields(notes, { [nodeId]: note === '' ? undefined : note });
  const isEmpty = Object.keys(next).length === 0;
  return { ...flow, uiState: withFields(uiState, { [NOTES]: isEmpty ? undefined : next }) };
}

const CLOCK_KINDS: ReadonlySet<string> = new Set(['time', 'time_pattern', 'sun', 'calendar', 'timer']);

/** The triggers that the wall clock fires, without those that are turned off. */
export function clockTriggersOf({ triggers }: FlowRecord): FlowRecord['triggers'] {
  return triggers.filter((one) => CLOCK_KINDS.has(textOf(one, 'type')) && one.enabled !== false);
}
