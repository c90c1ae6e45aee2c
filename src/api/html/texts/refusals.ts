/**
 * Translations of operations' errors: the errors' own messages are English, and serve as fallback. The reason is the
 * most specific key, then the code at its place, then the code alone.
 */
import type { ErrorCode } from '../../../kernel/errors.ts';
import type { ErrorReason } from '../../../kernel/reasons.ts';
import type { Language } from '../../../texts/languages.ts';

/** The reasons of the operations that the pages call. */
type PageReason = Extract<
  ErrorReason,
  | 'address_taken'
  | 'already_member'
  | 'bad_address'
  | 'bad_name'
  | 'bad_name_end'
  | 'limit_reached'
  | 'name_too_long'
  | 'password_length'
  | 'wrong_password'
>;

/** Where one code has only one meaning. */
export type Place = 'signIn' | 'setUp' | 'invitation' | 'passcode' | 'closedShare' | 'personalShare';

type ByCode = Readonly<Partial<Record<ErrorCode, string>>>;

interface RefusalTexts {
  readonly reasons: Readonly<Record<PageReason, string>>;
  readonly places: Readonly<Record<Place, ByCode>>;
  readonly codes: ByCode;
  /** For `rate_limited`. */
  wait(seconds: number): string;
  /** Wraps an English message that has no translation here. */
  inItsWords(sentence: string): string;
}

const de: RefusalTexts = {
  reasons: {
    address_taken: 'Mit dieser Adresse gibt es schon ein Konto. Melde dich damit an.',
    already_member: 'Du gehörst schon zu diesem Zuhause.',
    bad_address: 'Gib eine E-Mail-Adresse an, zum Beispiel anna@example.org.',
    bad_name: 'Gib einen Namen aus Buchstaben, Ziffern oder Zeichen an, in einer Zeile.',
    bad_name_end: 'Der Name muss mit einem Buchstaben oder einer Ziffer enden.',
    limit_reached: 'Mehr Konten kann dieses Relay nicht haben. Zuerst muss ein anderes gelöscht werden.',
    name_too_long: 'Dieser Name ist zu lang. Wähle einen kürzeren.',
    password_length: 'Dieses Passwort ist zu kurz oder zu lang.',
    wrong_password: 'Dieses Passwort ist falsch.',
  },
  places: {
    signIn: {
      invalid_credentials:
        'Diese E-Mail-Adresse und dieses Passwort gehören nicht zusammen. Prüfe beides; beim Passwort zählt auch Groß- und Kleinschreibung.',
    },
    setUp: {
      invalid_credentials:
        'Der Einrichtungscode ist falsch oder gilt nicht mehr. Erzeuge einen neuen: hearthd setup-code',
    },
    invitation: {
      invalid_credentials: 'Diese Einladung ist nicht für diese Adresse oder gilt nicht mehr. Bitte um eine neue.',
    },
    passcode: { passcode_required: 'Dieser Code ist falsch.' },
    closedShare: { insufficient_permissions: 'Diese Freigabe ist jetzt nicht offen.' },
    personalShare: {
      insufficient_permissions:
        'Diese Freigabe ist für eine bestimmte Person. Melde dich mit dem Konto an, für das sie gemacht wurde.',
    },
  },
  codes: {
    invalid_token: 'Deine Anmeldung ist abgelaufen. Melde dich wieder an.',
    invalid_credentials: 'Das stimmt nicht. Prüfe, was du eingegeben hast.',
    insufficient_permissions: 'Das ist dir hier nicht erlaubt.',
    not_found: 'Das gibt es nicht oder nicht mehr.',
    home_not_found: 'Dieses Zuhause gibt es nicht oder nicht mehr.',
    user_not_found: 'Diese Person gibt es nicht oder nicht mehr.',
    share_not_found: 'Diese Freigabe gibt es nicht oder nicht mehr.',
    accessory_not_found: 'Dieses Gerät gibt es hier nicht oder nicht mehr.',
    characteristic_not_found: 'Das kann hier kein Gerät.',
    characteristic_not_writable: 'Das lässt das Gerät sich nicht vorgeben.',
    relay_not_connected:
      'Das Zuhause ist nicht verbunden: Es ist angehalten, oder das Relay startet noch. Versuche es gleich noch einmal.',
    accessory_unreachable:
      'Das Gerät antwortet nicht. Prüfe, ob es Strom hat und in Reichweite ist, und versuche es noch einmal.',
    accessory_error: 'Das Gerät hat es abgelehnt oder ist beschäftigt. Versuche es gleich noch einmal.',
    method_not_allowed: 'So lässt sich diese Adresse nicht aufrufen.',
    payload_too_large: 'Das ist für das Relay zu groß.',
    storage_unavailable: 'Das Relay kann gerade nichts sichern. Versuche es später noch einmal.',
    internal:
      'In hearthd ist etwas schiefgegangen. Versuche es noch einmal; was geschehen ist, steht in seinem Protokoll.',
  },
  wait: (seconds) => `Gerade sind es zu viele Versuche. Warte ${inWords(seconds)} und versuche es dann noch einmal.`,
  inItsWords: (sentence) => `Es hat nicht geklappt. Das Relay sagt auf Englisch: „${sentence}“`,
};

function inWords(seconds: number): string {
  if (seconds <= 1) return 'eine Sekunde';
  if (seconds < 60) return `${Math.ceil(seconds)} Sekunden`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'eine Minute' : `${minutes} Minuten`;
}

export const REFUSALS: Readonly<Record<Exclude<Language, 'en'>, RefusalTexts>> = { de };
