/** Accounts and sessions of users, and the code that claims the relay. */
import { z } from 'zod';
import { newPassword, parseEmail, ROLE } from './account-fields.ts';
import { anyObject, checkedBy, flag, id, integer, name, success, text, time } from './fields.ts';
import type { Input, Output } from './parse.ts';

const nameOf = (description: string) => name('Name', { description, example: 'Ada' });

export const User = z
  .object({
    id: id(),
    email: text('What they sign in with: their address, or their name if they have none.', 'ada@example.org'),
    name: text('For people.', 'Ada'),
    isFounder: flag('Whether they claimed the relay.', true),
    createdAt: time('When the account was created.'),
    lastLoginAt: time('When they last signed in.').nullable(),
  })
  .meta({ id: 'User' });
export type User = Output<typeof User>;

/** The operation parses the address: an empty one is none. */
export const NewUser = z.strictObject({
  email: text('The address to sign in with. If left out, they sign in with `name`.').optional(),
  name: nameOf('What stands before the @ of the address if left out.').optional(),
  password: newPassword(),
  role: ROLE.describe('Without it they are a member of no home, or may control those of `homeIds`.').optional(),
  homeIds: z
    .array(z.string())
    .describe('The homes in which they have that role; every one that the caller owns if left out.')
    .optional(),
});
export type NewUser = Input<typeof NewUser>;
export const UserChanges = z.strictObject({ name: nameOf('Its new name.') });
export const NewPassword = z.strictObject({ password: newPassword() });
export const UserDone = success({ userId: id() });

export const ProfileChanges = z
  .strictObject({
    name: nameOf('For people.'),
    email: checkedBy(text('The address to sign in with.'), parseEmail),
    currentPassword: text('Required for another address.'),
  })
  .partial();
export type ProfileChanges = Input<typeof ProfileChanges>;
export const PasswordChange = z.strictObject({
  currentPassword: text('The password until now.'),
  newPassword: newPassword('newPassword'),
});
export type PasswordChange = Input<typeof PasswordChange>;

/** The code is checked as a credential, so that any text gets the same answer. */
export const SecondFactorCode = z.strictObject({
  code: text('Of the authenticator app; or a recovery code, except for confirming.', '123456'),
});
export type SecondFactorCode = Input<typeof SecondFactorCode>;
export const SecondFactorStart = z.strictObject({ currentPassword: text('The password.') });
export type SecondFactorStart = Input<typeof SecondFactorStart>;
export const SecondFactor = z
  .object({
    isOn: flag('Whether signing in with the password needs a code.', true),
    createdAt: time('Since when; null while it is off.').nullable(),
    recoveryCodesLeft: integer('How many recovery codes are unused.', 10),
  })
  .meta({ id: 'SecondFactor' });
export type SecondFactor = Output<typeof SecondFactor>;
export const SecondFactorSetup = z
  .object({
    secret: text('For typing into an authenticator app, in Base32.', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'),
    uri: text('For a QR code.', 'otpauth://totp/hearthd:ada%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'),
  })
  .meta({ id: 'SecondFactorSetup' });
export type SecondFactorSetup = Output<typeof SecondFactorSetup>;
export const RecoveryCodes = success({
  recoveryCodes: z.array(z.string()).describe('Each works once, in place of a code. They are shown only now.'),
});

export const PasskeyStart = z.strictObject({ currentPassword: text('The password.') });
export type PasskeyStart = Input<typeof PasskeyStart>;
/** The answer is checked as a credential, so that any object gets the same error. */
export const NewPasskey = z.strictObject({
  name: name('Name', { description: 'Where it is kept.', example: 'Ada’s phone' }),
  response: anyObject('The browser’s answer, as `PublicKeyCredential.toJSON` gives it.'),
});
export type NewPasskey = Input<typeof NewPasskey>;
export const PasskeyChanges = NewPasskey.pick({ name: true });
export type PasskeyChanges = Input<typeof PasskeyChanges>;
export const PasskeyOptions = z
  .object({ options: anyObject('For `PublicKeyCredential.parseCreationOptionsFromJSON`.') })
  .meta({ id: 'PasskeyOptions' });
export const Passkey = z
  .object({
    id: id(),
    name: text('Where it is kept.', 'Ada’s phone'),
    host: text('The host name that it works under.', 'home.example.org'),
    isSynced: flag('Whether its maker may copy it to other devices of the person.', true),
    createdAt: time('When it was created.'),
    lastUsedAt: time('When it signed in last.').nullable(),
  })
  .meta({ id: 'Passkey' });
export type Passkey = Output<typeof Passkey>;
export const RemovedPasskey = success({ passkeyId: id() });

/** Each is checked as a credential. */
export const SignInProof = z
  .strictObject({
    currentPassword: text('The password.'),
    code: text('Of the authenticator app, or a recovery code.', '123456'),
    response: anyObject('The answer of a passkey, as `PublicKeyCredential.toJSON` gives it.'),
  })
  .partial();
export type SignInProof = Input<typeof SignInProof>;
export const SignInProven = success({});

/** A session's new token. */
export const SignedIn = success({
  token: text('For `Authorization: Bearer`.', 'eyJ…'),
  expiresAt: time('When the session ends by itself.', '2030-02-07T12:00:00.000Z'),
  needsSecondStep: flag('Whether the session can only set a second step up, which its account must have.', false),
  user: User,
});
export type SignedIn = Output<typeof SignedIn>;

export const Session = z
  .object({
    id: id(),
    userId: id('Who is signed in.'),
    device: text('The client’s own name; null if it has none.', 'Mozilla/5.0 (X11; Linux x86_64)').nullable(),
    address: text('The network address that it was created from.', '192.168.1.20').nullable(),
    isCurrent: flag('Whether the caller asks with it.', true),
    createdAt: time('When it began.'),
    expiresAt: time('When it ends by itself.', '2030-02-07T12:00:00.000Z'),
    lastUsedAt: time('When it was used last, to the minute.').nullable(),
  })
  .meta({ id: 'Session' });
export type Session = Output<typeof Session>;

export const EndedSession = success({ sessionId: id() });
export const EndedSessions = success({ ended: integer('How many sessions there were.', 2) });

export const SetupCode = z.object({
  code: text('`XXXX-XXXX`', 'K7QM-2XRT'),
  url: text('The page that takes it.', 'http://192.168.1.5:5656/'),
  addresses: z
    .array(z.string())
    .describe('That page under every address that other devices reach, the likeliest first.'),
  expiresAt: time('When it expires.', '2030-01-31T12:10:00.000Z'),
});
export type SetupCode = Output<typeof SetupCode>;
