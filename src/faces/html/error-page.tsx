/** What people see when something can't be done: the same sentence and status as programs get, on a page. */
import type { ErrorCode } from '../../kernel/errors.ts';
import type { FaceContext } from '../env.ts';
import { answerHead, internalError } from '../error-table.ts';
import { isExpected } from '../failure-log.ts';
import { answerPage, type Markup, Page } from './page.tsx';
import { plainText } from './plain-text.tsx';

export interface ErrorPageProps {
  readonly title: string;
  /** A sentence that says what to do. */
  readonly message: string;
  /** What else to do, that a program would not need to be told. */
  readonly advice?: string | undefined;
  /** Under which the log has the cause, where there is more to know. */
  readonly requestId?: string | undefined;
}

/** As long as a sentence of ours can be; a library's, or one with somebody's text in it, may be longer. */
const MAX_MESSAGE_LENGTH = 500;

export function ErrorPage({ title, message, advice, requestId }: ErrorPageProps): Markup {
  return (
    <Page title={title}>
      <h1>{title}</h1>
      <p>{plainText(message, MAX_MESSAGE_LENGTH)}</p>
      {advice !== undefined && <p class="quiet">{advice}</p>}
      {requestId !== undefined && (
        <p class="quiet small">
          The log has it as <code>{requestId}</code>.
        </p>
      )}
    </Page>
  );
}

/**
 * For routes that people see, in place of `presentError`.
 * @param requestId under which the caller has logged the error, if the log is to have it.
 */
export function presentErrorPage(error: unknown, c: FaceContext, requestId: string): Response {
  const expected = isExpected(error) ? error : internalError();
  const { status, headers } = answerHead(expected, requestId, '');
  // A browser would open its own box for a challenge; people sign in on a page.
  const { 'WWW-Authenticate': _challenge, ...others } = headers;
  const shown = expected.code === 'internal' ? { requestId } : {};
  const page = (
    <ErrorPage title={titleOf(expected.code)} message={expected.message} advice={ADVICE[expected.code]} {...shown} />
  );
  return answerPage(c, page, { status, headers: others });
}

const TITLES: Partial<Record<ErrorCode, string>> = {
  not_found: 'There is nothing here',
  share_not_found: 'There is nothing here',
  forbidden_origin: 'This could not be accepted',
  insufficient_permissions: 'This is not allowed',
  invalid_token: 'Sign in first',
  rate_limited: 'Too many tries',
  relay_not_connected: 'Not ready yet',
  storage_unavailable: 'Nothing can be saved now',
  internal: 'Something went wrong',
};

const ADVICE: Partial<Record<ErrorCode, string>> = {
  share_not_found:
    'The share may have ended, or its link was not copied whole. Ask whoever gave it to you for a new one.',
};

function titleOf(code: ErrorCode): string {
  return TITLES[code] ?? 'This is not possible';
}
