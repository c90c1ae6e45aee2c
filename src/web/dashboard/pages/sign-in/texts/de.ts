import type { TextsLike } from '../../../texts/texts.ts';
import type { en } from './en.ts';

export const de: TextsLike<typeof en> = {
  title: 'Anmelden',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  stay: 'Auf diesem Gerät angemeldet bleiben',
  signIn: 'Anmelden',
};
