/** Responses for people: the page of a share, or the reason why there is none. */
import type { Caller } from '../../app/access/caller.ts';
import type { OpenShare, ShareDescription } from '../../app/sharing/shares.ts';
import type { HomeState } from '../../home/home-state.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { ApiContext } from '../env.ts';
import { answerHead } from '../error-table.ts';
import { presentErrorPage } from '../html/error-page.tsx';
import { answerPage } from '../html/page.tsx';
import type { PageSessions } from '../html/page-session.ts';
import { PageError, sentenceOf } from '../html/sentences.ts';
import { languageOf, localeOf } from '../language.ts';
import { findScript } from '../pages/find-script.ts';
import { viewShare } from './cards.ts';
import type { FormDeps } from './controls-view.tsx';
import { ClosedPage, ConfirmPage, PasscodePage, PersonalPage } from './refusal-pages.tsx';
import { SharePage } from './share-page.tsx';
import { type ShareTexts, texts, textsOf } from './texts.ts';
import type { Verb } from './verbs.ts';
import { hashOf } from './visits.ts';

export interface SharePagesDeps {
  readonly state: HomeState;
  readonly pageSessions: PageSessions;
  readonly pagesDirectory: string;
}

/** The error of a form of the page. */
export interface PageProblem {
  readonly message: string;
  readonly status: number;
}

/** The same URL has JSON for programs. */
const VARY = { Vary: 'Accept' };

export class SharePages {
  readonly #state: HomeState;
  readonly #pageSessions: PageSessions;
  readonly #script: string | undefined;

  constructor({ state, pageSessions, pagesDirectory }: SharePagesDeps) {
    this.#state = state;
    this.#pageSessions = pageSessions;
    this.#script = findScript(pagesDirectory, 'share');
  }

  share(c: ApiContext, share: OpenShare, problem?: PageProblem): Response {
    const script = this.#script;
    const view = viewShare(share, this.#state, textsOf(c));
    const [deps, locale] = [this.#formDeps(c), localeOf(c)];
    const page = SharePage({ share, view, deps, locale, script, problem: problem?.message });
    return answerPage(c, page, { status: problem?.status ?? 200, scripts: script !== undefined, headers: VARY });
  }

  /** For a link that acts, where a link alone may not act: 405, as for programs, with a button that may. */
  confirm(c: ApiContext, share: OpenShare, verb: Verb): Response {
    if (share.role !== 'control') {
      throw new PageError('insufficient_permissions', (language) => texts[language].refused.onlyShows);
    }
    // Reports an invalid value now, and not after the touch.
    verb.settings(c.req.param());
    const { path } = c.req;
    const [name = '', ...values] = decodeURIComponent(path.slice(addressOf(c).length + 1)).split('/');
    const act = [actIn(textsOf(c), name), ...values].join(' ');
    const page = ConfirmPage({ deps: this.#formDeps(c), action: path, act });
    return answerPage(c, page, { status: 405, headers: { ...VARY, Allow: 'POST' } });
  }

  /** @param describe the requirements for opening the share. @throws `share_not_found` */
  refuse(c: ApiContext, error: unknown, requestId: string, describe: (caller: Caller) => ShareDescription): Response {
    if (!(error instanceof HearthError)) return presentErrorPage(error, c, requestId);
    const deps = this.#formDeps(c);
    const caller = c.get('caller');
    const language = languageOf(c);
    const { status, headers } = answerHead(error, requestId, '');
    const options = { status, headers: { ...headers, ...VARY } };
    if (error.code === 'passcode_required') {
      const wasTried = c.req.method === 'POST' || c.req.query('passcode') !== undefined;
      const problem = wasTried ? sentenceOf(error, language, 'passcode') : undefined;
      return answerPage(c, PasscodePage({ deps, problem }), options);
    }
    if (error.code === 'insufficient_permissions') {
      const { requiresSignIn, isOpenNow } = describe(caller);
      if (requiresSignIn) {
        return answerPage(c, PersonalPage({ deps, message: sentenceOf(error, language, 'personalShare') }), options);
      }
      if (!isOpenNow) {
        return answerPage(c, ClosedPage({ deps, message: sentenceOf(error, language, 'closedShare') }), options);
      }
    }
    return presentErrorPage(error, c, requestId);
  }

  #formDeps(c: ApiContext): FormDeps {
    return { texts: textsOf(c), address: addressOf(c), csrf: this.#pageSessions.csrfToken(c) };
  }
}

/** The name of the first segment of a verb's path. */
function actIn({ confirm }: ShareTexts, name: string): string {
  const acts: Readonly<Record<string, string>> = confirm.acts;
  return acts[name] ?? name;
}

/** `/s/{hash}` */
export function addressOf(c: ApiContext): string {
  return `/s/${encodeURIComponent(hashOf(c))}`;
}
