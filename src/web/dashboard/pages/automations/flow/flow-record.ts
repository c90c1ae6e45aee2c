/**
 * A flow as the dashboard holds it: the relay's own JSON, never translated. What this version of the dashboard does not know stays in it
 * untouched, so that opening and saving a flow that was made elsewhere loses nothing. Everything here only reads, or gives a changed copy.
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

/** What the relay shows with a flow and does not take back as part of it. */
const SHOWN_ONLY = ['webhookUrls'] as const;

export const EMPTY_BLOCK: FlowNode = { operator: 'and', conditions: [] };

/** Named in the places where an editor may keep what is its own (`uiState.notes`), by the node's id. */
const NOTES = 'notes';

export function emptyFlow(name: string): FlowRecord {
  return { name, enabled: true, mode: 'single', triggers: [], conditions: EMPTY_BLOCK, actions: [] };
}

/** @throws `SyntaxError` it is no JSON · `TypeError` it is no flow */
export function parseFlowText(text: string): FlowRecord {
  return toFlowRecord(JSON.parse(text));
}

/**
 * The record of a flow. Missing lists become empty ones; a block of conditions that was sent as a list, or as one condition alone, becomes
 * the block that it means, as the relay itself does.
 * @throws `TypeError` it is no object, or its lists are none
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

/** The objects of a list; what is no object, or no list at all, is left out: it is only to be shown. */
export function nodesOf(value: Json | undefined): readonly FlowNode[] {
  return isList(value) ? value.filter(isObject) : [];
}

export function textOf(node: FlowNode, name: string): string {
  const value = node[name];
  return typeof value === 'string' ? value : '';
}

export function numberOf(node: FlowNode, name: string): number | undefined {
  const value = node[name];
  return typeof value === 'number' ? value : undefined;
}

/** The words of a list; nothing where there is none. */
export function wordsOf(value: Json | undefined): readonly string[] {
  return isList(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

/** With some fields set; those that are `undefined` are taken out. */
export function withFields<T extends JsonObject>(node: T, fields: JsonObject): T {
  const merged = { ...node, ...fields };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined)) as T;
}

/** Whether any text in it is a template. */
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
