import type { Json } from '../../../kernel/json.ts';
import { invalid } from '../parsing/faults.ts';
import { parseJsonObject } from '../parsing/json.ts';
import { requireVariableName } from '../parsing/parsing.ts';

/** The same limit as for a webhook's body. */
const MAX_BYTES = 64 * 1024;

/** The variables that a caller passes to a run. @throws `invalid_value` naming the variable */
export function parseRunVariables(input: unknown): Readonly<Record<string, Json>> | undefined {
  if (input === undefined || input === null) return undefined;
  const variables = parseJsonObject(input, 'variables');
  for (const name of Object.keys(variables)) requireVariableName(name, `variables.${name}`);
  if (Buffer.byteLength(JSON.stringify(variables)) > MAX_BYTES) {
    throw invalid('variables', `they may have at most ${MAX_BYTES / 1024} KiB as JSON`);
  }
  return variables as Readonly<Record<string, Json>>;
}
