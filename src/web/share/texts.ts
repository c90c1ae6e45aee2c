/** The script's own texts. The relay renders all other texts, in the same language: `src/api/share/texts`. */

interface Texts {
  readonly number: (value: number) => string;
  readonly noAnswer: string;
  readonly failed: string;
  readonly lost: string;
  /** Wraps a message of the API, which is in English only. */
  readonly inItsWords: (sentence: string) => string;
}

const en: Texts = {
  number: (value) => String(value),
  noAnswer: 'The relay did not answer. Try again.',
  failed: 'That did not work. Try again.',
  lost: 'The connection was lost. Trying again…',
  inItsWords: (sentence) => sentence,
};

const de: Texts = {
  number: (value) => String(value).replace('.', ','),
  noAnswer: 'Das Relay hat nicht geantwortet. Versuche es noch einmal.',
  failed: 'Das hat nicht geklappt. Versuche es noch einmal.',
  lost: 'Die Verbindung ist abgebrochen. Sie wird wieder aufgebaut …',
  inItsWords: (sentence) => `Es hat nicht geklappt. Das Relay sagt auf Englisch: „${sentence}“`,
};

/** The language of the page. */
export const language = document.documentElement.lang === 'de' ? 'de' : 'en';

export const texts = { en, de }[language];
