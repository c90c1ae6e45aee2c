/**
 * Pair-setup (HAP specification §5.6): makes us a controller of an accessory, by its setup code. Six messages on one plain
 * connection: M1/M2 start SRP, M3/M4 prove the code to each side, M5/M6 exchange the long-term keys.
 *
 * The one rule that matters most: once M5 is sent the accessory may know us, so our keys are on disk before that. A run that ends
 * in between leaves a record from which the half-made pairing can be removed (`recover-pairing.ts`).
 */

import type { PairingStep } from '../../../home/pairing-driver.ts';
import { type Clock, sleep } from '../../../kernel/clock.ts';
import { HearthError, messageOf } from '../../../kernel/errors.ts';
import type { PairingReason } from '../../../kernel/reasons.ts';
import type { PairingKeys, TlvExchange } from '../exchange.ts';
import { canonicalDeviceId, isDeviceId } from './device-id.ts';
import { type AnswerState, malformedAnswer, PairSetupError } from './pair-setup-error.ts';
import {
  accessoryIdentity,
  adoptSessionKey,
  controllerKeys,
  newPairSetupProtocol,
  PairMethod,
  type PairSetupProtocol,
  readAnswer,
} from './pair-setup-protocol.ts';
import type { ConnectForPairing } from './pairing-connection.ts';
import { computeSrp, type SrpChallenge } from './srp.ts';
import { encodeTlv } from './tlv.ts';
import { TlvType } from './tlv-types.ts';

/** Where a pairing is written down while it is made. Each call is on disk when it returns or resolves. */
export interface PairingRecorder {
  /** Before M5: our keys, `accessoryPublicKey` still null. If it throws, M5 is never sent. */
  begin(keys: PairingKeys): void | Promise<void>;
  /** After M6: the whole pairing, under the device id that the accessory proved. */
  complete(keys: PairingKeys): void | Promise<void>;
  /** The accessory said that it does not keep our keys. */
  abandon(): void | Promise<void>;
}

export interface PairSetupRequest {
  readonly connect: ConnectForPairing;
  /** The device id that the accessory must prove, or `host:port` where it is learnt from M6. */
  readonly deviceId: string;
  /** `XXX-XX-XXX`, as `parseSetupCode` gives it. */
  readonly setupCode: string;
  /** TXT `ff`; 0 where unknown. */
  readonly featureFlags: number;
  /** The method that worked with this device before. */
  readonly rememberedMethod: PairMethod | null;
  readonly recorder: PairingRecorder;
  readonly onProgress: (step: PairingStep) => void;
  readonly clock: Clock;
}

export interface PairSetupResult {
  readonly keys: PairingKeys;
  /** Which method worked: worth remembering where it is not the one that `ff` asks for. */
  readonly method: PairMethod;
}

/** Decisions §6: nothing is begun, and no pause asked for by the accessory is waited for, beyond this. */
const PAIRING_DEADLINE_MS = 30_000;

/** Waits when the accessory asks for patience without saying how long. */
const UNSTATED_PAUSE_MS = 3_000;

/** So often a pause is taken within one pairing: a device that is busy three times will be so a fourth time. */
const MAX_PAUSES = 3;

/** ff bit 0: Apple's authentication coprocessor. */
export function methodFor(featureFlags: number): PairMethod {
  return featureFlags & 1 ? PairMethod.withAuth : PairMethod.plain;
}

/**
 * Pairs. Pauses that the accessory asks for are taken where they fit into the deadline; a method it refuses is exchanged for the
 * other one, as some say the wrong thing in `ff`. After M5 nothing is tried twice.
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
      if (refusedBefore) throw moreTelling(failure, refusedBefore);
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
 * Devices refuse a method in many ways: an unnamed error, "unavailable", an HTTP error, hanging up. A wrong code is none of them:
 * a second try with it would only count twice.
 */
function refusesMethod({ kind, state }: PairSetupError): boolean {
  if (state === null || state === 6) return false;
  return kind === 'refused' || kind === 'unavailable' || kind === 'protocol' || kind === 'connection';
}

/** Of two refusals the one that names a cause, else the one that answered the method the device asked for. */
function moreTelling(second: PairSetupError, first: PairSetupError): PairSetupError {
  const vague = second.kind === 'refused' || second.kind === 'protocol' || second.kind === 'connection';
  return vague && second.state !== 6 ? first : second;
}

function asPairSetupError(error: unknown): PairSetupError {
  if (error instanceof PairSetupError) return error;
  return new PairSetupError('protocol', 'Pairing failed inside this relay. Try again.', { cause: error });
}

/** One run through the six messages, on a connection of its own. */
async function attempt(request: PairSetupRequest, method: PairMethod): Promise<PairingKeys> {
  request.onProgress('connecting');
  const connection = await connect(request.connect);
  try {
    const protocol = newPairSetupProtocol();
    request.onProgress('exchanging');
    const challenge = await startSrp(connection.exchange, protocol, method);
    request.onProgress('proving');
    adoptSessionKey(protocol, await proveCode(connection.exchange, { ...challenge, setupCode: request.setupCode }));
    request.onProgress('saving');
    const m5 = await protocol.buildPairSetupM5();
    const keys = controllerKeys(protocol, canonicalDeviceId(request.deviceId));
    await saveKeys(request.recorder, keys);
    const complete = await exchangeKeys(connection.exchange, protocol, m5, keys, request.recorder);
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

/** M1, M2: ask for pair-setup and get the salt and public key of SRP. */
async function startSrp(
  exchange: TlvExchange,
  protocol: PairSetupProtocol,
  method: PairMethod,
): Promise<Omit<SrpChallenge, 'setupCode'>> {
  const m1 = await protocol.buildPairSetupM1(method);
  const [salt, publicKey] = readAnswer(await ask(exchange, m1, 2), 2, TlvType.salt, TlvType.publicKey);
  return { salt, publicKey };
}

/** M3, M4: each side proves that it knows the setup code, without telling it. @returns the key that both have now. */
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
 * M5, M6: give our long-term key, get and check the accessory's. Without a clear answer we can't know whether the accessory
 * keeps us; a refusal says that it does not.
 */
async function exchangeKeys(
  exchange: TlvExchange,
  protocol: PairSetupProtocol,
  m5: Buffer,
  keys: PairingKeys,
  recorder: PairingRecorder,
): Promise<PairingKeys> {
  try {
    const [encrypted] = readAnswer(await ask(exchange, m5, 6), 6, TlvType.encryptedData);
    await protocol.parsePairSetupM6(
      encodeTlv([
        [TlvType.state, 6],
        [TlvType.encryptedData, encrypted],
      ]),
    );
    const { deviceId, publicKey } = accessoryIdentity(protocol);
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
  return error instanceof PairSetupError && error.kind === 'connection' ? 'no answer' : 'not a valid answer';
}

/** The accessory holds our keys now: whatever fails from here on leaves a pairing there, and says so with the keys to undo it. */
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

/** That the device is paired here already shows only when the store is to keep it. */
function reasonIn({ details }: HearthError): PairingReason | undefined {
  return details.reason === 'paired_here' ? 'paired_here' : undefined;
}

async function ask(exchange: TlvExchange, body: Buffer, state: AnswerState): Promise<Buffer> {
  try {
    return await exchange('/pair-setup', body);
  } catch (error) {
    throw new PairSetupError(
      'connection',
      `The accessory stopped answering while pairing (step M${state}: ${messageOf(error)}). Make sure that it is near enough and has power, then try again.`,
      { state, cause: error },
    );
  }
}
