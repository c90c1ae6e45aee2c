/** Parses command payloads: untrusted bytes from any client of the broker. */
import { HearthError } from '../../kernel/errors.ts';

/** Same limit as for any request on the control plane. */
export const MAX_COMMAND_BYTES = 16 * 1024;
/** More properties than any accessory has. */
const MAX_PROPERTIES = 200;

const EXAMPLE = 'Send a JSON object such as {"on": true}.';

export interface ThingCommand {
  /** For a virtual accessory: `{"operation": "increment", "value": 2}`. */
  readonly operation: string | undefined;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** @throws `invalid_request` with the expected format */
export function parseSettings(payload: Uint8Array): ThingCommand {
  const settings = parseJson(parseText(payload));
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    throw new HearthError('invalid_request', `A command is an object. ${EXAMPLE}`);
  }
  const count = Object.keys(settings).length;
  if (count === 0) throw new HearthError('invalid_request', `Nothing is to be set. ${EXAMPLE}`);
  if (count > MAX_PROPERTIES) {
    throw new HearthError('invalid_request', `A command sets ${MAX_PROPERTIES} properties at most.`);
  }
  const { operation } = settings as { operation?: unknown };
  return {
    operation: typeof operation === 'string' ? operation : undefined,
    settings: settings as Record<string, unknown>,
  };
}

/** The value of one property, as plain text. @throws `invalid_request` not text */
export function parseText(payload: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(payload);
  } catch {
    throw new HearthError('invalid_request', 'A command is text, in UTF-8.');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HearthError('invalid_request', `This is no JSON. ${EXAMPLE}`);
  }
}
