/** The error page for people: the same message and status as programs get. */
import type { ErrorCode } from '../../kernel/errors.ts';
import type { ApiContext } from '../env.ts';
import { answerHead, internalError } from '../error-table.ts';
import { isExpected } from '../failure-log.ts';
import { languageOf } from '../language.ts';
import { answerPage, type Markup, Page } from './page.tsx';
import { plainText } from './plain-text.tsx';
import { PageError, sentenceOf } from './sentences.ts';
import { type PageTexts, textsOf } from './texts.ts';

export interface ErrorPageProps {
  readonly texts: PageTexts;
  readonly title: string;
  /** A sentence with the remedy. One that only repeats the title is left out. */
  readonly message: string;
  /** Further advice that a program does not need. */
  readonly advice?: string | undefined;
  /** The id under which the log has the cause, if it has more details. */
  readonly requestId?: string | undefined;
}

/** The longest message of the relay itself; a library's, or one that quotes a client's text, may be longer. */
const MAX_MESSAGE_LENGTH = 500;

export function ErrorPage({ texts, title, message, advice, requestId }: ErrorPageProps): Markup {
  return (
    <Page texts={texts} title={title}>
      <h1>{title}</h1>
      {message !== title && <p>{plainText(message, MAX_MESSAGE_LENGTH)}</p>}
      {advice !== undefined && <p class="quiet">{advice}</p>}
      {requestId !== undefined && <p class="quiet small">{texts.errors.inLog({ id: <code>{requestId}</code> })}</p>}
    </Page>
  );
}

/**
 * For routes that people see, in place of `presentError`.
 * @param requestId the id under which the caller has logged the error, if the error needs a log entry.
 */
export function presentErrorPage(error: unknown, c: ApiContext, requestId: string): Response {
  const expected = isExpected(error) ? error : internalError();
  const { status, headers } = answerHead(expected, requestId, '');
  // A browser would open its own dialog for a challenge; people sign in on a page.
  const { 'WWW-Authenticate': _challenge, ...others } = headers;
  const shown = expected.code === 'internal' ? { requestId } : {};
  const language = languageOf(c);
  const texts = textsOf(c);
  const { titles, otherTitle, advice } = texts.errors;
  const ownTitle = expected instanceof PageError ? expected.titleIn?.(language) : undefined;
  const page = (
    <ErrorPage
      texts={texts}
      title={ownTitle ?? byCode(titles, expected.code) ?? otherTitle}
      message={sentenceOf(expected, language)}
      advice={byCode(advice, expected.code)}
      {...shown}
    />
  );
  return answerPage(c, page, { status, headers: others });
}

/** Codes without a text of their own have none. */
function byCode(given: Partial<Record<ErrorCode, string>>, code: ErrorCode): string | undefined {
  return given[code];
}
