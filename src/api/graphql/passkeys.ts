/**
 * Passkeys of the signed-in user, and signing in with one. What the browser gives and takes is JSON, as WebAuthn
 * defines it. Also the proof, with a passkey or without, that a session is still its person's. Signing in is
 * public (`public-fields.ts`).
 */
import type { Passkey } from '../../app/users/passkeys.ts';
import { PasskeyChanges, Passkey as PasskeyFields, PasskeyStart, SignInProof } from '../../contract/users.ts';
import { presentTime } from '../present/time.ts';
import { AuthResult, signIn } from './account.ts';
import { builder, LIST } from './builder.ts';
import { argumentsOf, fieldsOf } from './contract-fields.ts';
import { type ActionResult, CLOCK_DIFFERENCE, MutationResult, reportOutcome } from './result.ts';
import { decodeJson } from './scalars.ts';

const PasskeyType = builder.objectRef<Passkey>('Passkey').implement({
  description: 'A passkey, with which a person signs in without a password. Times are ISO 8601 in UTC.',
  fields: (t) =>
    fieldsOf(t, PasskeyFields, [], {
      createdAt: ({ createdAt }: Passkey) => presentTime(createdAt),
      lastUsedAt: ({ lastUsedAt }: Passkey) => presentTime(lastUsedAt),
    }),
});

const PasskeyOptionsResult = builder
  .objectRef<ActionResult & { readonly options: object | null }>('PasskeyOptionsResult')
  .implement({
    description: 'What the browser takes, or why there is none.',
    interfaces: [MutationResult],
    fields: (t) => ({
      options: t.field({
        type: 'JSON',
        description:
          'For `PublicKeyCredential.parseCreationOptionsFromJSON`, or `parseRequestOptionsFromJSON` to sign in.',
        resolve: ({ options }) => options,
      }),
    }),
  });

const PasskeyResult = builder
  .objectRef<ActionResult & { readonly passkey: Passkey | null }>('PasskeyResult')
  .implement({
    description: 'A passkey as it is now, or why nothing changed.',
    interfaces: [MutationResult],
    fields: (t) => ({ passkey: t.expose('passkey', { type: PasskeyType, description: 'Null where it failed.' }) }),
  });

const ProofResult = builder.objectRef<ActionResult>('ProofResult').implement({
  description: 'Whether the proof was right.',
  interfaces: [MutationResult],
  fields: (t) => ({
    clockDifferenceSeconds: t.exposeInt('clockDifferenceSeconds', { description: CLOCK_DIFFERENCE }),
  }),
});

const RESPONSE = 'The browser’s answer, as `PublicKeyCredential.toJSON` gives it.';

const reportOptions = (act: () => Promise<object>) =>
  reportOutcome<{ options: object | null }, { options: null }>(async () => ({ options: await act() }), {
    options: null,
  });

const reportPasskey = (act: () => Passkey | Promise<Passkey>) =>
  reportOutcome<{ passkey: Passkey | null }, { passkey: null }>(async () => ({ passkey: await act() }), {
    passkey: null,
  });

builder.queryFields((t) => ({
  passkeys: t.field({
    type: [PasskeyType],
    nullable: LIST,
    description: 'The caller’s own passkeys, oldest first. For sessions only.',
    resolve: (_, __, { caller, deps }) => deps.passkeys.list(caller),
  }),
}));

builder.mutationFields((t) => ({
  beginPasskey: t.field({
    type: PasskeyOptionsResult,
    description:
      'Begins to create a passkey; `createPasskey` follows within five minutes. Browsers have passkeys only under a name with https, or at localhost. For sessions only.',
    args: argumentsOf(t.arg, PasskeyStart),
    resolve: (_, input, { caller, deps, origin }) =>
      reportOptions(() => deps.passkeys.begin(caller, input, { origin })),
  }),
  createPasskey: t.field({
    type: PasskeyResult,
    description: 'Creates a passkey from the browser’s answer. For the session that began.',
    args: {
      ...argumentsOf(t.arg, PasskeyChanges),
      response: t.arg({ type: 'JSON', required: true, description: RESPONSE }),
    },
    resolve: (_, { name, response }, { caller, deps, origin }) =>
      reportPasskey(() => {
        const given = decodeJson(response, 'response') as Record<string, unknown>;
        return deps.passkeys.create(caller, { name, response: given }, { origin });
      }),
  }),
  renamePasskey: t.field({
    type: PasskeyResult,
    description: 'Renames one of the caller’s passkeys. For sessions only.',
    args: { id: t.arg.string({ required: true }), ...argumentsOf(t.arg, PasskeyChanges) },
    resolve: (_, { id, name }, { caller, deps }) => reportPasskey(() => deps.passkeys.rename(caller, id, { name })),
  }),
  removePasskey: t.field({
    type: PasskeyResult,
    description:
      'Removes one of the caller’s passkeys; sessions that it began stay. For sessions that signed in, or gave a proof, within the last ten minutes.',
    args: { id: t.arg.string({ required: true }) },
    resolve: (_, { id }, { caller, deps }) => reportPasskey(() => deps.passkeys.remove(caller, id)),
  }),
  beginProof: t.field({
    type: PasskeyOptionsResult,
    description: 'Begins a proof with a passkey; `giveProof` follows within five minutes. For sessions only.',
    resolve: (_, __, { caller, deps, origin }) => reportOptions(() => deps.proofs.begin(caller, { origin })),
  }),
  giveProof: t.field({
    type: ProofResult,
    description:
      'Proves who asks, with exactly one of the three. For ten minutes, the session may then do what fails with the cause `proof_needed`. For sessions only.',
    args: {
      ...argumentsOf(t.arg, SignInProof.pick({ currentPassword: true, code: true })),
      response: t.arg({ type: 'JSON', description: 'The passkey’s answer, as `PublicKeyCredential.toJSON` gives it.' }),
    },
    resolve: (_, { currentPassword, code, response }, { caller, deps, origin }) =>
      reportOutcome(async () => {
        const given = {
          ...(currentPassword != null && { currentPassword }),
          ...(code != null && { code }),
          ...(response != null && { response: decodeJson(response, 'response') as Record<string, unknown> }),
        };
        await deps.proofs.give(caller, given, { origin });
        return {};
      }, {}),
  }),
  beginPasskeySignIn: t.field({
    type: PasskeyOptionsResult,
    description: 'Begins a sign-in with a passkey; `signInWithPasskey` follows within five minutes. For everyone.',
    resolve: (_, __, { caller, deps, origin }) => reportOptions(() => deps.passkeys.beginSignIn(caller, { origin })),
  }),
  signInWithPasskey: t.field({
    type: AuthResult,
    description: 'Signs a person in with a passkey, without a password and without a code. For everyone.',
    args: { response: t.arg({ type: 'JSON', required: true, description: RESPONSE }) },
    resolve: (_, { response }, { caller, deps, device, origin }) =>
      signIn(async () => deps.passkeys.signIn(caller, { response: decodeJson(response, 'response'), device, origin })),
  }),
}));
