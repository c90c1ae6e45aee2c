/** Why a pairing failed, each cause with its own sentence that says what to do. The setup code is in none of them. */
import { type ErrorCode, HearthError } from '../../../kernel/errors.ts';
import type { PairingReason } from '../../../kernel/reasons.ts';
import type { PairingKeys } from '../exchange.ts';
import { TlvErrorCode } from './tlv-types.ts';

export type PairSetupFailure =
  /** The accessory says that the setup code is wrong. */
  | 'wrong_code'
  /** It wants to be left alone for a while, or pairs with somebody else at this moment. */
  | 'back_off'
  | 'busy'
  /** Its table of controllers is full. */
  | 'max_peers'
  /** It has seen too many wrong codes. */
  | 'max_tries'
  /** It is paired already. */
  | 'unavailable'
  /** Refused without a reason that is ours to explain. */
  | 'refused'
  /** It proved another identity than the one asked for. */
  | 'wrong_device'
  /** It could not prove that it knows the setup code itself. */
  | 'impostor'
  /** Its answers do not follow the protocol. */
  | 'protocol'
  /** No answer: timed out, closed, refused as HTTP. */
  | 'connection'
  /** The keys could not be saved, so that the exchange stopped before the accessory learned them. */
  | 'not_saved';

/** The accessory's answers, by the state that stands in them. */
export type AnswerState = 2 | 4 | 6;

export interface PairSetupErrorOptions {
  /** The answer (M2, M4 or M6) that was missing or wrong; left out before the first. */
  readonly state?: AnswerState;
  /** `pairing_failed` if left out. */
  readonly code?: ErrorCode;
  /** What clients are told; what follows from the kind if left out. */
  readonly reason?: PairingReason | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly keys?: PairingKeys;
  readonly cause?: unknown;
}

export class PairSetupError extends HearthError {
  readonly kind: PairSetupFailure;
  readonly state: AnswerState | null;
  /** The keys that the accessory holds although the pairing failed: with them it can be removed there. */
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

/** The accessory's own refusal: a pairing error (HAP specification, table 5-5) in answer `state` (2, 4 or 6). */
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
        `The accessory refused to pair without saying why (step M${state}, error ${code}). Cut its power for ten seconds, then pair again.`,
      ];
  }
}

/** An answer that is no answer to its step. */
export function malformedAnswer(state: AnswerState, what: string, cause?: unknown): PairSetupError {
  return new PairSetupError(
    'protocol',
    `The accessory's answer in step M${state} is not valid (${what}). Cut its power for ten seconds, then pair again; if that does not help, look for a firmware update.`,
    { state, cause },
  );
}
