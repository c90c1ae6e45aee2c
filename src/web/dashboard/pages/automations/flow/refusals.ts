/**
 * The place of a relay error in a flow: errors name the field by its path from the top (`actions[2].then[0].value`).
 */
import { type FlowRecord, isObject } from './flow-record.ts';
import { getAt, type Path, parsePath } from './paths.ts';

export interface FlowRefusal {
  /** The path of the invalid node; empty for the flow itself. */
  readonly path: Path;
  readonly field: string;
  readonly sentence: string;
}

/** The innermost trigger, condition or action on the path to the field. */
export function locateRefusal(flow: FlowRecord, field: string, sentence: string): FlowRefusal {
  const path = parsePath(field);
  for (let length = path.length; length > 0; length -= 1) {
    const node = getAt(flow, path.slice(0, length));
    if (!isObject(node) || typeof node.type !== 'string') continue;
    return { path: path.slice(0, length), field: String(path[length] ?? ''), sentence: withoutPlace(sentence, field) };
  }
  return { path: [], field: String(path[0] ?? ''), sentence: withoutPlace(sentence, field) };
}

/** The position of the message already shows the place. */
function withoutPlace(sentence: string, field: string): string {
  if (!sentence.startsWith(`${field}: `)) return sentence;
  const rest = sentence.slice(field.length + 2);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}
