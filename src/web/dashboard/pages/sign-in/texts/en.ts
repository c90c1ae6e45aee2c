import { pluralIn } from '../../../texts/texts.ts';

const plural = pluralIn('en');

export const en = {
  title: 'Sign in',
  language: 'Language',
  emailOrName: 'Email address or name',
  password: 'Password',
  show: 'Show password',
  hide: 'Hide password',
  stay: 'Stay signed in on this device',
  signIn: 'Sign in',
  refused: 'Your session has expired. Sign in again to continue.',
  wrong: 'Wrong email or password. Passwords are case-sensitive.',
  wait: (seconds: number) =>
    `Too many attempts. ${plural(Math.ceil(seconds / 60), { one: 'Wait a minute', other: 'Wait # minutes' })}, then try again.`,
  forgot: 'Forgotten your password?',
  forgotText:
    'The person who set up this relay can set a new one under People & sharing. If that is you, run this on the relay’s computer:',
  useToken: 'Use an access token instead',
  usePassword: 'Use email and password instead',
  token: 'Access token',
  tokenHint: 'For wall tablets and similar devices. It begins with “hc_” and is created under Developer.',
  tokenWrong: 'This token isn’t valid. It may have been revoked or expired, or wasn’t copied completely.',
  tokenOfNobody:
    'This token was created on the command line and has no account. Use one that was created under Developer.',
  invited: 'Invited to a home? Open the link in your invitation.',
};
