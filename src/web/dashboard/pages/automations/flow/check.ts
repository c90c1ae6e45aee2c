/**
 * Finds missing or invalid values in a draft, to show them beside the field before a request. It is a help only: it
 * accepts what it does not know, and the relay validates everything again.
 */
import { MAX_DELAY_MS } from '../../../../../home/vocabulary/limits.ts';
import { durationMs } from './durations.ts';
import {
  type FlowNode,
  type FlowRecord,
  hasTemplate,
  isBlock,
  isList,
  isObject,
  numberOf,
  textOf,
} from './flow-record.ts';
import type { FieldRow } from './kind.ts';
import { idsIn } from './node-ids.ts';
import { getAt, type Path, pathText } from './paths.ts';
import { fieldsOf, findKind } from './registry.ts';
import { type Placed, walkFlow } from './structure.ts';

export type ProblemKey =
  | 'required'
  | 'chooseProperty'
  | 'range'
  | 'aboveOrBelow'
  | 'address'
  | 'nothingToWaitFor'
  | 'timeSpan'
  | 'sameTime'
  | 'entryOrExit'
  | 'eventName'
  | 'pattern'
  | 'nameMissing'
  | 'nameEnding'
  | 'delayTooLong';

export interface Problem {
  /** The path of the node; empty for the flow itself. */
  readonly path: Path;
  readonly field: string;
  readonly key: ProblemKey;
}

const EVENT_NAME = /^[\w.:-]{1,128}$/;
const PATTERN = /^(\*|\/?\d{1,2})$/;

type Check = (node: FlowNode) => readonly (readonly [field: string, key: ProblemKey])[];

/** Checks across several fields, by role and type. */
const CHECKS: Readonly<Record<string, Check>> = {
  'trigger state': ({ to }) => (to === null ? [['to', 'required']] : []),
  'trigger numeric_state': checkRange,
  'condition numeric_state': checkRange,
  'trigger time_pattern': ({ hours, minutes, seconds }) => {
    const parts = [hours, minutes, seconds].filter((part) => part !== undefined).map(String);
    return parts.length > 0 && parts.every((part) => PATTERN.test(part)) ? [] : [['minutes', 'pattern']];
  },
  'trigger location': ({ notifyOnEntry, notifyOnExit }) =>
    notifyOnEntry === false && notifyOnExit !== true ? [['notifyOnExit', 'entryOrExit']] : [],
  'trigger event': checkEventName,
  'action fire_event': checkEventName,
  'condition time': ({ after, before, weekdays }) => {
    if (after === undefined && before === undefined && weekdays === undefined) return [['after', 'timeSpan']];
    return after !== undefined && after === before ? [['before', 'sameTime']] : [];
  },
  'condition sun': ({ after, before }) => (after === undefined && before === undefined ? [['after', 'timeSpan']] : []),
  'action fire_webhook': (node) => {
    const url = textOf(node, 'url');
    const isFine = url === '' || hasTemplate(url) || (/^https?:/i.test(url) && URL.canParse(url));
    return isFine ? [] : [['url', 'address']];
  },
  'action wait_for_trigger': ({ triggers }) =>
    isList(triggers) && triggers.length > 0 ? [] : [['triggers', 'nothingToWaitFor']],
  'action delay': ({ duration }) => ((durationMs(duration) ?? 0) > MAX_DELAY_MS ? [['duration', 'delayTooLong']] : []),
};

export function checkFlow(flow: FlowRecord): readonly Problem[] {
  const name = flow.name.trim();
  const own: Problem[] = [];
  if (name === '') own.push({ path: [], field: 'name', key: 'nameMissing' });
  else if (!/[\p{L}\p{N}]$/u.test(name)) own.push({ path: [], field: 'name', key: 'nameEnding' });
  return [...own, ...[...walkFlow(flow)].flatMap(checkNode)];
}

function checkNode({ role, node, path }: Placed): readonly Problem[] {
  if (isBlock(node)) return [];
  const type = textOf(node, 'type');
  const kind = findKind(role, type);
  if (!kind) return [];
  const missing = fieldsOf(kind, node).flatMap((field): Problem[] => {
    const key = problemOf(field, node);
    return key ? [{ path, field: field.name, key }] : [];
  });
  const further = (CHECKS[`${role} ${type}`]?.(node) ?? []).map(([field, key]) => ({ path, field, key }));
  return [...missing, ...further.filter((one) => missing.every(({ field }) => field !== one.field))];
}

function problemOf({ name, control, isRequired }: FieldRow, node: FlowNode): ProblemKey | undefined {
  if (!isRequired) return undefined;
  if (control.is === 'property') return hasProperty(node) ? undefined : 'chooseProperty';
  if (control.is === 'pattern' || control.is === 'who') return undefined;
  return isMissing(node[name]) ? 'required' : undefined;
}

function isMissing(value: FlowNode[string]): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  return isList(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

function hasProperty(node: FlowNode): boolean {
  const ids = [node.accessoryId, node.serviceGroupId, node.groupId];
  return ids.some((id) => typeof id === 'string' && id !== '') && textOf(node, 'characteristicType') !== '';
}

function checkRange(node: FlowNode): ReturnType<Check> {
  const [above, below] = [numberOf(node, 'above'), numberOf(node, 'below')];
  if (above === undefined && below === undefined) return [['above', 'aboveOrBelow']];
  return above !== undefined && below !== undefined && above >= below ? [['below', 'range']] : [];
}

function checkEventName(node: FlowNode): ReturnType<Check> {
  const name = textOf(node, 'eventType').trim();
  return name === '' || EVENT_NAME.test(name) ? [] : [['eventType', 'eventName']];
}

/** By the node's place, in the format of `pathText`. */
/** Those of parts that were there before: what was added since is not wrong before it is filled in. */
export function remainingProblems(
  before: FlowRecord,
  now: FlowRecord,
  problems: readonly Problem[],
): readonly Problem[] {
  const ids = idsIn(before);
  return problems.filter(({ path }) => {
    const node = getAt(now, path);
    const id = isObject(node) && path.length > 0 ? textOf(node, 'id') : '';
    // Conditions have none.
    return id === '' ? getAt(before, path) !== undefined : ids.has(id);
  });
}

export function problemsByNode(problems: readonly Problem[]): ReadonlyMap<string, readonly Problem[]> {
  const map = new Map<string, Problem[]>();
  for (const problem of problems) {
    const key = pathText(problem.path);
    map.set(key, [...(map.get(key) ?? []), problem]);
  }
  return map;
}
