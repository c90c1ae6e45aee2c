/** The causes of a failed pairing, each with a sentence about what to do. No sentence contains the setup code. */
import { type ErrorCode, HearthError } from '../../../kernel/errors.ts';
import type { PairingReason } from '../../../kernel/reasons.ts';
import type { PairingKeys } from '../wire/exchange.ts';
import { TlvErrorCode } from './tlv-types.ts';

export type PairSetupFailure =
  /** The accessory reports that the setup code is wrong. */
  | 'wrong_code'
  /** The accessory requires a pause, or pairs with another controller right now. */
  | 'back_off'
  | 'busy'
  /** Its table of controllers is full. */
  | 'max_peers'
  /** The accessory has received too many wrong codes. */
  | 'max_tries'
  /** The accessory is paired already. */
  | 'unavailable'
  /** The accessory refused without a known reason. */
  | 'refused'
  /** The accessory proved another identity than the expected one. */
  | 'wrong_device'
  /** The accessory could not prove that it knows the setup code. */
  | 'impostor'
  /** The responses do not follow the protocol. */
  | 'protocol'
  /** No valid response: timeout, closed connection, or an HTTP error. */
  | 'connection'
  /** The keys could not be saved, so the exchange stopped before the accessory received them. */
  | 'not_saved';

/** The accessory's responses, by their State value. */
export type AnswerState = 2 | 4 | 6;

export interface PairSetupErrorOptions {
  /** The response (M2, M4 or M6) that was missing or wrong; absent before the first. */
  readonly state?: AnswerState;
  /** Default: `pairing_failed`. */
  readonly code?: ErrorCode;
  /** The reason for clients. Default: follows from the kind. */
  readonly reason?: PairingReason | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly keys?: PairingKeys;
  readonly cause?: unknown;
}

export class PairSetupError extends HearthError {
  readonly kind: PairSetupFailure;
  readonly state: AnswerState | null;
  /** The keys that the accessory holds although the pairing failed. With them the pairing can be removed from it. */
  readonly keys: PairingKeys | null;

  constructor(kind: PairSetupFailure, message: string, options: PairSetupErrorOptions = {}) {
    const { retryAfterSeconds, cause } = options;
    const reason = options.reason ?? REASONS[kind];
    const details = { reason, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
    super(options.code ?? 'pairing_failed', message, details, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.state = options.state ?? null;
    this.keys = options.keys ?? null;
  }
}

const REASONS: Readonly<Record<PairSetupFailure, PairingReason>> = {
  wrong_code: 'wrong_code',
  back_off: 'back_off',
  busy: 'busy',
  max_peers: 'max_peers',
  max_tries: 'max_tries',
  unavailable: 'paired_elsewhere',
  refused: 'refused',
  wrong_device: 'wrong_device',
  impostor: 'impostor',
  protocol: 'refused',
  connection: 'unreachable',
  not_saved: 'not_saved',
};

/** The accessory's pairing error (HAP specification, table 5-5) in response `state` (2, 4 or 6). */
export function refusalOf(code: number, state: AnswerState, retryAfterSeconds: number | undefined): PairSetupError {
  const [kind, message] = explain(code, state, retryAfterSeconds);
  return new PairSetupError(kind, message, { state, retryAfterSeconds });
}

function explain(code: number, state: number, seconds: number | undefined): readonly [PairSetupFailure, string] {
  switch (code) {
    case TlvErrorCode.authentication:
      return state === 4
        ? ['wrong_code', 'The setup code is wrong. Check the eight digits on the accessory, its box or its screen.']
        : [
            'refused',
            `The accessory could not verify this relay (step M${state}). Restart the accessory and try again.`,
          ];
    case TlvErrorCode.backOff:
      return [
        'back_off',
        seconds === undefined
          ? 'The accessory wants a pause before the next try. Wait a minute, then pair again.'
          : `The accessory wants a pause before the next try. Wait ${seconds} seconds, then pair again.`,
      ];
    case TlvErrorCode.maxPeers:
      return [
        'max_peers',
        'The accessory has no room for another controller. Remove one in an app that controls it, or reset the accessory to factory settings, then pair again.',
      ];
    case TlvErrorCode.maxTries:
      return [
        'max_tries',
        'The accessory has seen too many wrong setup codes and accepts none until it is restarted. Cut its power for ten seconds, check the code, then pair again.',
      ];
    case TlvErrorCode.unavailable:
      return [
        'unavailable',
        'The accessory is already paired with another controller. Remove it in the app or hub that holds it, or reset it to factory settings, then pair again.',
      ];
    case TlvErrorCode.busy:
      return [
        'busy',
        'The accessory is busy pairing with another controller. Let that finish or cancel it, then pair again in a minute.',
      ];
    default:
      return [
        'refused',
        `The accessory refused to pair and gave no reason (step M${state}, error ${code}). Cut its power for ten seconds, then pair again.`,
      ];
  }
}

/** A response that does not fit its step. */
export function malformedAnswer(state: AnswerState, what: string, cause?: unknown): PairSetupError {
  return new PairSetupError(
    'protocol',
    `The accessory's answer in step M${state} is not valid (${what}). Cut its power for ten seconds, then pair again; if that does not help, look for a firmware update.`,
    { state, cause },
  );
}
