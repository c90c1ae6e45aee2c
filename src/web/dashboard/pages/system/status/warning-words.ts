import type { systemTexts } from '../texts/texts.ts';

interface Warning {
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
  /** What its sentences name, as the API gives it: an object of texts and numbers. */
  readonly values: unknown;
}

type WarningTexts = (typeof systemTexts)['en']['warnings'];

/** A warning in the words of the page; one that this dashboard does not know in the relay's own. */
export function warningWords({ code, message, remedy, values }: Warning, texts: WarningTexts) {
  if (!Object.hasOwn(texts, code)) return { message, remedy };
  const known = texts[code as keyof WarningTexts];
  // Each sentence names one thing at most.
  const [named = ''] = typeof values === 'object' && values !== null ? Object.values(values).map(String) : [];
  return { message: known.message(named), remedy: known.remedy };
}
