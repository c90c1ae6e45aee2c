/**
 * WebAuthn, around @simplewebauthn/server: the options that browsers get, and the verification of their answers. Holds
 * no rules on people.
 *
 * The library loads with the first passkey. It never sees an attestation: the relay trusts no maker of authenticators,
 * and the certificates of one name addresses from which the library would fetch revocation lists.
 */
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { HearthError } from '../../kernel/errors.ts';
import { loadOnce } from '../../kernel/load-once.ts';
import type { ErrorReason } from '../../kernel/reasons.ts';
import type { StoredPasskey } from './passkey-store.ts';
import type { StoredUser } from './user-store.ts';

/** How long a browser waits for the person. */
const TIMEOUT_MS = 4 * 60_000;
/** EdDSA, ES256, RS256 (RFC 9053): what authenticators and Node's crypto have. */
const ALGORITHMS = [-8, -7, -257];
/** WebAuthn §4: at most 1,023 bytes. */
const MAX_CREDENTIAL_ID_LENGTH = 1_364;
const MAX_PUBLIC_KEY_BYTES = 2_048;
/** As `URL` writes them. */
const IP_ADDRESS = /^(?:[\d.]+|\[.*\])$/;
const TRANSPORTS: readonly AuthenticatorTransport[] = ['ble', 'hybrid', 'internal', 'nfc', 'usb'];

const loadLibrary = loadOnce(() => import('@simplewebauthn/server'));
const loadHelpers = loadOnce(() => import('@simplewebauthn/server/helpers'));

export type PasskeyCreationOptions = PublicKeyCredentialCreationOptionsJSON;
export type PasskeyRequestOptions = PublicKeyCredentialRequestOptionsJSON;

/** The relay under one of its names, as passkeys know it. */
export interface RelyingParty {
  readonly origin: string;
  readonly host: string;
}

/** What a browser signed, before it is verified. */
export interface ClientData {
  readonly type: string;
  readonly challenge: string;
  readonly origin: string;
}

export type NewCredential = Pick<StoredPasskey, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'isSynced'>;

/**
 * @param origin under which the browser reached the relay.
 * @throws `conflict` browsers have no passkeys there
 */
export function relyingPartyOf(origin: string): RelyingParty {
  const { protocol, hostname: host } = new URL(origin);
  if (IP_ADDRESS.test(host)) {
    throw unavailable(
      'passkey_needs_name',
      'Passkeys need a name: they don’t work at an IP address. Open the relay by its name, with https.',
    );
  }
  if (protocol !== 'https:' && host !== 'localhost' && !host.endsWith('.localhost')) {
    throw unavailable('passkey_needs_https', 'Passkeys need https. Open the relay by its https address.');
  }
  return { origin, host };
}

export async function creationOptions(
  { host }: RelyingParty,
  { id, name, email }: Pick<StoredUser, 'id' | 'name' | 'email'>,
  challenge: string,
  known: readonly StoredPasskey[],
): Promise<PasskeyCreationOptions> {
  const { generateRegistrationOptions } = await loadLibrary();
  return generateRegistrationOptions({
    rpName: 'hearthd',
    rpID: host,
    userID: new TextEncoder().encode(id),
    userName: email,
    userDisplayName: name,
    challenge: bytesOf(challenge),
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: transportsOf(transports),
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** Without a list of passkeys: the authenticator knows which it has. */
export async function requestOptions({ host }: RelyingParty, challenge: string): Promise<PasskeyRequestOptions> {
  const { generateAuthenticationOptions } = await loadLibrary();
  return generateAuthenticationOptions({
    rpID: host,
    challenge: bytesOf(challenge),
    timeout: TIMEOUT_MS,
    userVerification: 'required',
  });
}

/**
 * @param response the credential, as `PublicKeyCredential.toJSON` gives it.
 * @throws `invalid_credentials` it is none, or comes from another origin
 */
export function clientDataOf({ origin }: RelyingParty, response: unknown): ClientData {
  const data = readClientData(response);
  if (data === undefined) throw invalidPasskey();
  if (data.origin !== origin) {
    throw new HearthError(
      'invalid_credentials',
      'This passkey was used at another address than the relay’s. Open the relay by its own address, and try again.',
      { reason: 'passkey_other_origin' },
    );
  }
  return data;
}

/** @throws `invalid_credentials` */
export async function verifyCreation(
  { origin, host }: RelyingParty,
  { challenge }: ClientData,
  response: unknown,
): Promise<NewCredential> {
  const { verifyRegistrationResponse } = await loadLibrary();
  const verified = await verifying(async () => {
    const bare = await withoutAttestation(response as RegistrationResponseJSON);
    return verifyRegistrationResponse({
      response: bare,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
  });
  if (!verified.verified) throw invalidPasskey();
  const { credential, credentialDeviceType } = verified.registrationInfo;
  const { id, publicKey, counter, transports } = credential;
  if (id.length > MAX_CREDENTIAL_ID_LENGTH || publicKey.length > MAX_PUBLIC_KEY_BYTES) throw invalidPasskey();
  return {
    credentialId: id,
    publicKey,
    counter,
    transports: transportsOf(transports),
    isSynced: credentialDeviceType === 'multiDevice',
  };
}

/** @returns the signature counter. @throws `invalid_credentials` */
export async function verifyRequest(
  { origin, host }: RelyingParty,
  { challenge }: ClientData,
  passkey: StoredPasskey,
  response: unknown,
): Promise<number> {
  const { verifyAuthenticationResponse } = await loadLibrary();
  const { verified, authenticationInfo } = await verifying(() =>
    verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: host,
      // The caller compares the counter, which has a sentence of its own.
      credential: { id: passkey.credentialId, publicKey: passkey.publicKey, counter: 0 },
      requireUserVerification: true,
    }),
  );
  if (!verified) throw invalidPasskey();
  return authenticationInfo.newCounter;
}

/** The user that the authenticator stored with the passkey; `undefined` if the answer has none. */
export function userHandleOf(response: unknown): string | undefined {
  const { response: inner } = (response ?? {}) as { response?: { userHandle?: unknown } };
  const handle = inner?.userHandle;
  return typeof handle === 'string' ? Buffer.from(handle, 'base64url').toString() : undefined;
}

export function credentialIdOf(response: unknown): string | undefined {
  const { id } = (response ?? {}) as { id?: unknown };
  return typeof id === 'string' && id.length <= MAX_CREDENTIAL_ID_LENGTH ? id : undefined;
}

export function invalidPasskey(): HearthError {
  return new HearthError(
    'invalid_credentials',
    'The answer of this passkey is not valid. Try again; the device must ask for a fingerprint, a face or a PIN.',
    { reason: 'passkey_invalid' },
  );
}

async function verifying<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch {
    // The library throws for everything that does not fit, in the words of the protocol.
    throw invalidPasskey();
  }
}

async function withoutAttestation(response: RegistrationResponseJSON): Promise<RegistrationResponseJSON> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await loadHelpers();
  const given = decodeAttestationObject(isoBase64URL.toBuffer(response.response.attestationObject));
  const bare = new Map<string, string | Map<never, never> | Uint8Array>([
    ['fmt', 'none'],
    ['attStmt', new Map<never, never>()],
    ['authData', given.get('authData')],
  ]);
  const attestationObject = isoBase64URL.fromBuffer(isoCBOR.encode(bare));
  return { ...response, response: { ...response.response, attestationObject } };
}

function readClientData(response: unknown): ClientData | undefined {
  const { response: inner } = (response ?? {}) as { response?: { clientDataJSON?: unknown } };
  const text = inner?.clientDataJSON;
  if (typeof text !== 'string') return undefined;
  try {
    const { type, challenge, origin } = JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<
      string,
      unknown
    >;
    if (typeof type !== 'string' || typeof challenge !== 'string' || typeof origin !== 'string') return undefined;
    return { type, challenge, origin };
  } catch {
    return undefined;
  }
}

function transportsOf(given: readonly unknown[] | undefined): AuthenticatorTransport[] {
  return Array.isArray(given) ? TRANSPORTS.filter((one) => given.includes(one)) : [];
}

function bytesOf(challenge: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(challenge, 'base64url'));
}

function unavailable(reason: ErrorReason, sentence: string): HearthError {
  return new HearthError('conflict', sentence, { reason });
}
