/**
 * Parses the common part of clients' messages: one JSON object a message, of one of a few types (wire-facts §8, §11.1).
 */
import { WebSocketError } from './error-codes.ts';

export type ClientMessage =
  | { readonly type: 'ping' }
  | { readonly type: 'pong' }
  /** Live updates of a share, for clients with its link. */
  | { readonly type: 'subscribe'; readonly shareHash: string; readonly passcode: string | undefined }
  | { readonly type: 'unsubscribe'; readonly shareHash: string }
  | { readonly type: 'request'; readonly id: MessageId; readonly action: string; readonly payload: unknown };

/** The client's own; returned with the response. */
export type MessageId = string | number;

/** The readable fields of an invalid message, so that its sender can identify it. */
export interface MessageLabel {
  readonly id: MessageId | null;
  readonly action: string | null;
}

/** For a message without these fields, or without readable ones. */
export const NO_LABEL: MessageLabel = { id: null, action: null };

/** An invalid message. */
export class RefusedMessage extends WebSocketError {
  readonly label: MessageLabel;

  constructor(label: MessageLabel, message: string) {
    super('INVALID_REQUEST', message);
    this.label = label;
  }
}

const MAX_ID_LENGTH = 128;
const MAX_ACTION_LENGTH = 64;

/** @throws `RefusedMessage` it can't be parsed */
export function parseMessage(text: string): ClientMessage {
  const message = parseObject(text);
  const label = labelOf(message);
  const refuse = (sentence: string): never => {
    throw new RefusedMessage(label, sentence);
  };
  switch (message.type) {
    case 'ping':
    case 'pong':
      return { type: message.type };
    case 'subscribe':
    case 'unsubscribe': {
      const { shareHash, passcode } = message;
      if (typeof shareHash !== 'string') return refuse('"shareHash" is missing: it must be the hash of a share link.');
      if (message.type === 'unsubscribe') return { type: 'unsubscribe', shareHash };
      if (passcode !== undefined && passcode !== null && typeof passcode !== 'string')
        return refuse('"passcode" must be a text.');
      return { type: 'subscribe', shareHash, passcode: passcode ?? undefined };
    }
    case 'request': {
      const { payload = {} } = message;
      const { id, action } = label;
      if (id === null)
        return refuse('"id" is missing: give each request a text or number, which its answer will bear.');
      if (action === null) return refuse('"action" is missing: it must be the name of an action.');
      return { type: 'request', id, action, payload: payload ?? {} };
    }
    default:
      return refuse('"type" must be one of request, ping, pong, subscribe and unsubscribe.');
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // Reported below: the action is not known.
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
  throw new RefusedMessage(NO_LABEL, 'A message must be one JSON object.');
}

function labelOf({ id, action }: Readonly<Record<string, unknown>>): MessageLabel {
  const isId =
    (typeof id === 'string' && id !== '' && id.length <= MAX_ID_LENGTH) ||
    (typeof id === 'number' && Number.isFinite(id));
  return {
    id: isId ? id : null,
    action: typeof action === 'string' && action !== '' && action.length <= MAX_ACTION_LENGTH ? action : null,
  };
}
