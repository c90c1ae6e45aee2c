/**
 * WebAuthn in the browser: the relay's options become what `navigator.credentials` takes, and its answer becomes JSON.
 * The browsers' own converters (`parseCreationOptionsFromJSON`, `toJSON`) are missing in phones of a few years.
 */

/** Why this page has no passkeys; `undefined` if it has. */
export type PasskeyObstacle = 'name' | 'https' | 'browser';

const IP_ADDRESS = /^(?:[\d.]+|\[.*\])$/;

export function passkeyObstacle(): PasskeyObstacle | undefined {
  if (IP_ADDRESS.test(location.hostname)) return 'name';
  if (!window.isSecureContext) return 'https';
  return 'PublicKeyCredential' in window ? undefined : 'browser';
}

/** Whether the browser offers passkeys where it fills names in. */
export async function offersAutofill(): Promise<boolean> {
  if (passkeyObstacle() !== undefined) return false;
  return (await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false;
}

/** @returns the answer for the relay. @throws `DOMException` */
export async function createCredential(options: unknown): Promise<object> {
  const given = options as CreationJson;
  const publicKey = {
    ...given,
    challenge: bytesOf(given.challenge),
    user: { ...given.user, id: bytesOf(given.user.id) },
    excludeCredentials: given.excludeCredentials?.map((one) => ({ ...one, id: bytesOf(one.id) })) ?? [],
  } as unknown as PublicKeyCredentialCreationOptions;
  const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  const response = credential.response as AuthenticatorAttestationResponse;
  return answerOf(credential, {
    clientDataJSON: textOf(response.clientDataJSON),
    attestationObject: textOf(response.attestationObject),
    transports: response.getTransports?.() ?? [],
  });
}

/**
 * @param how with `mediation: 'conditional'`, the browser waits until the person chooses a passkey in a field.
 * @returns the answer for the relay.
 * @throws `DOMException`
 */
export async function getCredential(
  options: unknown,
  how: Pick<CredentialRequestOptions, 'mediation' | 'signal'> = {},
): Promise<object> {
  const given = options as RequestJson;
  const publicKey = { ...given, challenge: bytesOf(given.challenge), allowCredentials: [] };
  const credential = (await navigator.credentials.get({
    ...how,
    publicKey: publicKey as unknown as PublicKeyCredentialRequestOptions,
  })) as PublicKeyCredential;
  const response = credential.response as AuthenticatorAssertionResponse;
  return answerOf(credential, {
    clientDataJSON: textOf(response.clientDataJSON),
    authenticatorData: textOf(response.authenticatorData),
    signature: textOf(response.signature),
    userHandle: response.userHandle ? textOf(response.userHandle) : undefined,
  });
}

interface CreationJson {
  readonly challenge: string;
  readonly user: { readonly id: string };
  readonly excludeCredentials?: readonly { readonly id: string }[];
}

interface RequestJson {
  readonly challenge: string;
}

function answerOf({ id, rawId, type, authenticatorAttachment }: PublicKeyCredential, response: object): object {
  return { id, rawId: textOf(rawId), type, authenticatorAttachment, clientExtensionResults: {}, response };
}

function bytesOf(base64url: string): Uint8Array {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function textOf(bytes: ArrayBuffer): string {
  const text = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('');
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
