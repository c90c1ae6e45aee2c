import type { Catalogues } from 'texts:types';

interface StatusWarning {
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
  /** The values in its text, in the API's format: an object of strings and numbers. */
  readonly values: unknown;
}

type WarningTexts = Catalogues['system']['warnings'];

/** A warning in the page's language; an unknown warning in the relay's own text. */
export function warningWords({ code, message, remedy, values }: StatusWarning, texts: WarningTexts) {
  if (!Object.hasOwn(texts, code)) return { message, remedy };
  const known = texts[code as keyof WarningTexts];
  // Each sentence contains one value at most. A remedy's value comes second: the kind of install.
  const [named = '', install = ''] =
    typeof values === 'object' && values !== null ? Object.values(values).map(String) : [];
  return {
    message: typeof known.message === 'string' ? known.message : known.message({ value: named }),
    remedy: typeof known.remedy === 'string' ? known.remedy : known.remedy({ install }),
  };
}
