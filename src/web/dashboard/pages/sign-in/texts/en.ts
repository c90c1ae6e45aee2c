import { pluralIn } from '../../../texts/texts.ts';

const plural = pluralIn('en');

export const en = {
  title: 'Sign in',
  language: 'Language',
  email: 'E-mail address',
  password: 'Password',
  show: 'Show what was typed',
  hide: 'Hide what was typed',
  stay: 'Stay signed in on this device',
  signIn: 'Sign in',
  refused: 'Your session has ended. Sign in again to go on where you were.',
  wrong: 'This e-mail address and password do not belong together. Check both; capital letters count in the password.',
  wait: (seconds: number) =>
    `Too many tries. ${plural(Math.ceil(seconds / 60), { one: 'Wait a minute', other: 'Wait # minutes' })}, then try again.`,
  forgot: 'Forgotten your password?',
  forgotText:
    'Whoever set up this relay can give you a new one, under People & sharing. If that is you, run this on its computer:',
  useToken: 'Use an access token instead',
  usePassword: 'Use e-mail and password instead',
  token: 'Access token',
  tokenHint: 'For wall tablets and the like. It begins with “hc_”; made under Developer.',
  tokenWrong: 'The relay does not know this token. It may have been revoked or have ended, or a part of it is missing.',
  tokenOfNobody:
    'This token was made at the command line and belongs to nobody. Use one that was made under Developer.',
  invited: 'Invited to a home? Open the link in your invitation.',
};
