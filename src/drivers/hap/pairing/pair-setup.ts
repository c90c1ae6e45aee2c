/**
 * Pair-setup (HAP specification §5.6): makes us a controller of an accessory, by its setup code. It has six messages on
 * one plain connection: M1/M2 start SRP, M3/M4 prove the code to each side, M5/M6 exchange the long-term keys.
 *
 * The most important rule: after M5 the accessory may know us, so our keys are on disk before M5. A run that ends in
 * between leaves a record, with which the incomplete pairing can be removed (`recover-pairing.ts`).
 */

import { encodeTlv } from '../../../hap-spec/tlv.ts';
import type { PairingStep } from '../../../home/pairing-driver.ts';
import { type Clock, sleep } from '../../../kernel/clock.ts';
import { HearthError, messageOf } from '../../../kernel/errors.ts';
import type { PairingReason } from '../../../kernel/reasons.ts';
import { type PairingKeys, PairingRefusal, type TlvExchange } from '../wire/exchange.ts';
import { canonicalDeviceId, isDeviceId } from './device-id.ts';
import { type AnswerState, malformedAnswer, PairSetupError } from './pair-setup-error.ts';
import { buildM1, buildM5, newControllerKeys, openM6, PairMethod, readAnswer } from './pair-setup-protocol.ts';
import type { ConnectForPairing } from './pairing-connection.ts';
import { computeSrp, type SrpChallenge } from './srp.ts';
import { TlvType } from './tlv-types.ts';

/** Stores a pairing while it is in progress. Each call is on disk when it returns or resolves. */
export interface PairingRecorder {
  /** Before M5: our keys, with `accessoryPublicKey` still null. If it throws, M5 is not sent. */
  begin(keys: PairingKeys): void | Promise<void>;
  /** After M6: the complete pairing, under the device id that the accessory proved. */
  complete(keys: PairingKeys): void | Promise<void>;
  /** The accessory reported that it does not keep our keys. */
  abandon(): void | Promise<void>;
}

export interface PairSetupRequest {
  readonly connect: ConnectForPairing;
  /** The device id that the accessory must prove, or `host:port` if M6 gives the id. */
  readonly deviceId: string;
  /** `XXX-XX-XXX`, as `parseSetupCode` returns it. */
  readonly setupCode: string;
  /** TXT `ff`; 0 if unknown. */
  readonly featureFlags: number;
  /** The method that worked with this device before. */
  readonly rememberedMethod: PairMethod | null;
  readonly recorder: PairingRecorder;
  readonly onProgress: (step: PairingStep) => void;
  readonly clock: Clock;
}

export interface PairSetupResult {
  readonly keys: PairingKeys;
  /** The method that worked: worth storing if `ff` asks for another one. */
  readonly method: PairMethod;
}

/** Decisions §6: after this time no attempt begins, and no pause for the accessory is taken. */
const PAIRING_DEADLINE_MS = 30_000;

/** The pause if the accessory asks for one without a duration. */
const UNSTATED_PAUSE_MS = 3_000;

/** The maximum number of pauses in one pairing: a device that is busy three times will be busy a fourth time. */
const MAX_PAUSES = 3;

/** ff bit 0: Apple's authentication coprocessor. */
export function methodFor(featureFlags: number): PairMethod {
  return featureFlags & 1 ? PairMethod.withAuth : PairMethod.plain;
}

/**
 * Pairs. A pause for the accessory is taken if it fits into the deadline. If the accessory refuses a method, the other
 * one is tried, because some accessories advertise the wrong one in `ff`. After M5 there is no retry.
 * @throws PairSetupError
 */
export async function pairSetup(request: PairSetupRequest): Promise<PairSetupResult> {
  const { clock } = request;
  const deadline = clock.monotonic() + PAIRING_DEADLINE_MS;
  let method = request.rememberedMethod ?? methodFor(request.featureFlags);
  let refusedBefore: PairSetupError | undefined;
  let pauses = 0;
  for (;;) {
    try {
      return { keys: await attempt(request, method), method };
    } catch (error) {
      const failure = asPairSetupError(error);
      const pauseMs = pauseAfter(failure);
      if (pauseMs !== undefined && pauses < MAX_PAUSES && clock.monotonic() + pauseMs <= deadline) {
        pauses += 1;
        await sleep(clock, pauseMs);
        continue;
      }
      if (refusedBefore) throw moreSpecific(failure, refusedBefore);
      if (!refusesMethod(failure) || clock.monotonic() >= deadline) throw failure;
      refusedBefore = failure;
      method = method === PairMethod.plain ? PairMethod.withAuth : PairMethod.plain;
    }
  }
}

function pauseAfter(failure: PairSetupError): number | undefined {
  if (failure.state === 6 || (failure.kind !== 'back_off' && failure.kind !== 'busy')) return undefined;
  const seconds = failure.details.retryAfterSeconds;
  return seconds === undefined ? UNSTATED_PAUSE_MS : seconds * 1000;
}

/**
 * Devices refuse a method in many ways: an unnamed error, "unavailable", an HTTP error, a hang-up. A wrong code is none
 * of them: a second try with it would only count twice.
 */
function refusesMethod({ kind, state }: PairSetupError): boolean {
  if (state === null || state === 6) return false;
  return kind === 'refused' || kind === 'unavailable' || kind === 'protocol' || kind === 'connection';
}

/** Of two errors, the one that names a cause, else the one for the method that the device advertised. */
function moreSpecific(second: PairSetupError, first: PairSetupError): PairSetupError {
  const vague = second.kind === 'refused' || second.kind === 'protocol' || second.kind === 'connection';
  return vague && second.state !== 6 ? first : second;
}

function asPairSetupError(error: unknown): PairSetupError {
  if (error instanceof PairSetupError) return error;
  return new PairSetupError('protocol', 'Pairing failed inside this relay. Try again.', { cause: error });
}

/** One run of the six messages, on a connection of its own. */
async function attempt(request: PairSetupRequest, method: PairMethod): Promise<PairingKeys> {
  request.onProgress('connecting');
  const connection = await connect(request.connect);
  try {
    request.onProgress('exchanging');
    const challenge = await startSrp(connection.exchange, method);
    request.onProgress('proving');
    const sessionKey = await proveCode(connection.exchange, { ...challenge, setupCode: request.setupCode });
    request.onProgress('saving');
    const keys = newControllerKeys(canonicalDeviceId(request.deviceId));
    const m5 = buildM5(sessionKey, keys);
    await saveKeys(request.recorder, keys);
    const complete = await exchangeKeys(connection.exchange, sessionKey, m5, keys, request.recorder);
    requireIdentity(request.deviceId, complete);
    await completeRecord(request.recorder, complete);
    return complete;
  } finally {
    connection.close();
  }
}

async function connect(open: ConnectForPairing): ReturnType<ConnectForPairing> {
  try {
    return await open();
  } catch (error) {
    const reason = messageOf(error);
    throw new PairSetupError(
      'connection',
      `The accessory can't be reached (${reason}). Check that it has power and is on this network.`,
      { cause: error },
    );
  }
}

/** M1, M2: starts pair-setup and gets the salt and public key of SRP. */
async function startSrp(exchange: TlvExchange, method: PairMethod): Promise<Omit<SrpChallenge, 'setupCode'>> {
  const answer = await ask(exchange, buildM1(method), 2);
  const [salt, publicKey] = readAnswer(answer, 2, TlvType.salt, TlvType.publicKey);
  return { salt, publicKey };
}

/** M3, M4: each side proves that it knows the setup code, without sending it. @returns the shared session key */
async function proveCode(exchange: TlvExchange, challenge: SrpChallenge): Promise<Buffer> {
  const srp = await computeSrp(challenge).catch((error) => {
    throw malformedAnswer(2, 'public key', error);
  });
  const m3 = encodeTlv([
    [TlvType.state, 3],
    [TlvType.publicKey, srp.publicKey],
    [TlvType.proof, srp.proof],
  ]);
  const [theirProof] = readAnswer(await ask(exchange, m3, 4), 4, TlvType.proof);
  if (srp.isProvedBy(theirProof)) return srp.sessionKey;
  throw new PairSetupError(
    'impostor',
    'What answers as the accessory accepted the setup code but does not know it itself. Make sure that it is your accessory, cut its power for ten seconds and pair again.',
    { state: 4 },
  );
}

async function saveKeys(recorder: PairingRecorder, keys: PairingKeys): Promise<void> {
  try {
    await recorder.begin(keys);
  } catch (error) {
    if (error instanceof HearthError) {
      throw new PairSetupError('not_saved', error.message, { code: error.code, reason: reasonIn(error), cause: error });
    }
    throw new PairSetupError(
      'not_saved',
      `The keys can't be saved (${messageOf(error)}), so pairing stopped before the accessory learned them. Check the data directory with: hearthd doctor`,
      { cause: error },
    );
  }
}

/**
 * M5, M6: sends our long-term key, receives and checks the accessory's. Without a clear response it is unknown whether
 * the accessory keeps our keys; an error response means that it does not.
 */
async function exchangeKeys(
  exchange: TlvExchange,
  sessionKey: Buffer,
  m5: Buffer,
  keys: PairingKeys,
  recorder: PairingRecorder,
): Promise<PairingKeys> {
  try {
    const answer = await ask(exchange, m5, 6);
    const [encrypted] = readAnswer(answer, 6, TlvType.encryptedData);
    const { deviceId, publicKey } = openM6(sessionKey, encrypted);
    return { ...keys, deviceId: canonicalDeviceId(deviceId), accessoryPublicKey: publicKey };
  } catch (error) {
    if (error instanceof PairSetupError && error.kind !== 'protocol' && error.kind !== 'connection') {
      await recorder.abandon();
      throw error;
    }
    throw new PairSetupError(
      'connection',
      `The last step of pairing failed (${reasonOf(error)}), so the accessory may hold a pairing that can't be used. Pair it again: the half-made pairing is removed first. If that fails, reset the accessory to factory settings.`,
      { state: 6, reason: 'half_made', cause: error },
    );
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof PairSetupError)) return 'not a valid answer';
  if (error.cause instanceof PairingRefusal) return error.cause.message;
  return error.kind === 'connection' ? 'no answer' : 'not a valid answer';
}

/**
 * The accessory holds our keys now. Any error from here on leaves a pairing on it, and carries the keys to remove it.
 */
function requireIdentity(expected: string, keys: PairingKeys): void {
  if (!isDeviceId(expected) || canonicalDeviceId(expected) === keys.deviceId) return;
  throw new PairSetupError(
    'wrong_device',
    `The accessory that answered is ${keys.deviceId}, not ${canonicalDeviceId(expected)}. Look for it again with: hearthd discover`,
    { state: 6, keys },
  );
}

async function completeRecord(recorder: PairingRecorder, keys: PairingKeys): Promise<void> {
  try {
    await recorder.complete(keys);
  } catch (error) {
    const known = error instanceof HearthError;
    throw new PairSetupError(
      'not_saved',
      known
        ? error.message
        : `The finished pairing can't be saved (${messageOf(error)}). Check the data directory with: hearthd doctor`,
      { state: 6, keys, cause: error, ...(known ? { code: error.code, reason: reasonIn(error) } : {}) },
    );
  }
}

/** A device that is paired on this relay, or published by it, may be detected only when the store saves it. */
function reasonIn({ details: { reason } }: HearthError): PairingReason | undefined {
  return reason === 'paired_here' || reason === 'published' ? reason : undefined;
}

async function ask(exchange: TlvExchange, body: Buffer, state: AnswerState): Promise<Buffer> {
  try {
    return await exchange('/pair-setup', body);
  } catch (error) {
    if (error instanceof PairingRefusal) throw refusedOutright(error, state);
    throw new PairSetupError(
      'connection',
      `The accessory stopped answering while pairing (step M${state}: ${messageOf(error)}). Make sure that it is near enough and has power, then try again.`,
      { state, cause: error },
    );
  }
}

/** After M5 this does not show whether the accessory keeps our keys. */
function refusedOutright(error: PairingRefusal, state: AnswerState): PairSetupError {
  const options = { state, cause: error };
  if (state === 6) return new PairSetupError('protocol', `${error.message}.`, options);
  const kind = error.isBusy ? 'busy' : 'refused';
  const advice = error.isBusy ? 'Pair again in a minute.' : 'Cut its power for ten seconds, then pair again.';
  return new PairSetupError(
    kind,
    `The accessory refused to pair (step M${state}). ${error.message}. ${advice}`,
    options,
  );
}
