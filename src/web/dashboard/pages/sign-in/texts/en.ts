export const en = {
  title: 'Sign in',
  email: 'E-mail address',
  password: 'Password',
  stay: 'Stay signed in on this device',
  signIn: 'Sign in',
};
