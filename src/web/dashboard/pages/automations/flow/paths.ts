/**
 * Paths in a flow: from the record to a node or a field, in the format of the relay's errors
 * (`actions[2].then[0].value`). Changes return a copy that shares all unchanged parts.
 */
import { type FlowRecord, isList, isObject, type Json } from './flow-record.ts';

export type Path = readonly (string | number)[];

/** `actions[2].then[0]` → `['actions', 2, 'then', 0]`. */
export function parsePath(text: string): Path {
  return [...text.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, name]) =>
    index === undefined ? (name ?? '') : Number(index),
  );
}

export function pathText(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

export function isWithin(path: Path, place: Path): boolean {
  return place.length <= path.length && place.every((part, index) => part === path[index]);
}

export function getAt(root: Json | undefined, path: Path): Json | undefined {
  let value = root;
  for (const part of path) {
    if (isList(value)) value = value[Number(part)];
    else if (isObject(value)) value = value[String(part)];
    else return undefined;
  }
  return value;
}

/** `undefined` removes a field. Missing objects on the path are created. */
export function setAt<T extends Json | undefined>(root: T, path: Path, value: Json | undefined): T {
  return set(root, path, value) as T;
}

function set(root: Json | undefined, [part, ...rest]: Path, value: Json | undefined): Json | undefined {
  if (part === undefined) return value;
  if (typeof part === 'number') {
    const list = isList(root) ? root : [];
    return Object.assign([...list], { [part]: set(list[part], rest, value) }) as Json;
  }
  const object = isObject(root) ? root : {};
  const next = set(object[part], rest, value);
  if (next !== undefined) return { ...object, [part]: next };
  const { [part]: _gone, ...others } = object;
  return others;
}

function listAt(flow: FlowRecord, path: Path): readonly Json[] {
  const list = getAt(flow, path);
  return isList(list) ? list : [];
}

export function insertAt(flow: FlowRecord, list: Path, index: number, node: Json): FlowRecord {
  return setAt(flow, list, listAt(flow, list).toSpliced(index, 0, node));
}

export function removeAt(flow: FlowRecord, path: Path): FlowRecord {
  const [list, index] = splitPath(path);
  return setAt(flow, list, listAt(flow, list).toSpliced(index, 1));
}

/**
 * Moves a node to another list, or to another place in its own.
 * @param index counts as before the move
 * @returns its new place; nothing if the move is impossible: into itself, or beyond the list
 */
export function moveTo(
  flow: FlowRecord,
  path: Path,
  list: Path,
  index: number,
): { readonly flow: FlowRecord; readonly path: Path } | undefined {
  const node = getAt(flow, path);
  if (node === undefined || isWithin(list, path) || index < 0 || index > lengthAt(flow, list)) return undefined;
  const to = withoutPlace([...list, index], path);
  return { flow: insertAt(removeAt(flow, path), ...splitPath(to), node), path: to };
}

/** The path of a place after another one is removed. */
function withoutPlace(place: Path, removed: Path): Path {
  const [list, index] = splitPath(removed);
  const at = place[list.length];
  return isWithin(place, list) && typeof at === 'number' && at > index ? place.with(list.length, at - 1) : place;
}

/** The list that contains a node, and the node's index in it. */
export function splitPath(path: Path): readonly [list: Path, index: number] {
  return [path.slice(0, -1), Number(path.at(-1))];
}

export function lengthAt(flow: FlowRecord, list: Path): number {
  return listAt(flow, list).length;
}
