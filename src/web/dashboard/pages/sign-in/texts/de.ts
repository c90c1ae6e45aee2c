import type { TextsLike } from '../../../texts/texts.ts';
import { pluralIn } from '../../../texts/texts.ts';
import type { en } from './en.ts';

const plural = pluralIn('de');

export const de: TextsLike<typeof en> = {
  title: 'Anmelden',
  language: 'Sprache',
  emailOrName: 'E-Mail-Adresse oder Name',
  password: 'Passwort',
  show: 'Getipptes anzeigen',
  hide: 'Getipptes verbergen',
  stay: 'Auf diesem Gerät angemeldet bleiben',
  signIn: 'Anmelden',
  refused: 'Deine Anmeldung ist abgelaufen. Melde dich wieder an, dann geht es da weiter, wo du warst.',
  wrong:
    'Diese E-Mail-Adresse und dieses Passwort gehören nicht zusammen. Prüfe beides; beim Passwort zählt auch Groß- und Kleinschreibung.',
  wait: (seconds) =>
    `Zu viele Versuche. ${plural(Math.ceil(seconds / 60), { one: 'Warte eine Minute', other: 'Warte # Minuten' })} und versuche es dann noch einmal.`,
  forgot: 'Passwort vergessen?',
  forgotText:
    'Wer dieses Relay eingerichtet hat, kann dir unter „Personen & Freigaben“ ein neues geben. Bist du das selbst, führe auf seinem Rechner aus:',
  useToken: 'Stattdessen mit Zugriffstoken anmelden',
  usePassword: 'Stattdessen mit E-Mail und Passwort anmelden',
  token: 'Zugriffstoken',
  tokenHint: 'Für Wandtablets und Ähnliches. Es beginnt mit „hc_“ und wird unter „Entwicklung“ erstellt.',
  tokenWrong: 'Das Relay kennt dieses Token nicht. Vielleicht wurde es widerrufen, ist abgelaufen oder unvollständig.',
  tokenOfNobody:
    'Dieses Token wurde auf der Kommandozeile erstellt und gehört niemandem. Nimm eines, das unter „Entwicklung“ erstellt wurde.',
  invited: 'In ein Zuhause eingeladen? Öffne den Link in deiner Einladung.',
};
