/** Answers for people: the page of a share, or why there is none. */
import type { Caller } from '../../app/access/caller.ts';
import type { OpenShare, ShareDescription } from '../../app/sharing/shares.ts';
import type { HomeState } from '../../home/home-state.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { FaceContext } from '../env.ts';
import { answerHead } from '../error-table.ts';
import { presentErrorPage } from '../html/error-page.tsx';
import { answerPage } from '../html/page.tsx';
import type { PageSessions } from '../html/page-session.ts';
import { viewShare } from './cards.ts';
import type { FormGround } from './controls-view.tsx';
import { ClosedPage, ConfirmPage, PasscodePage } from './refusal-pages.tsx';
import { findScript } from './script.ts';
import { SharePage } from './share-page.tsx';
import type { Verb } from './verbs.ts';
import { hashOf } from './visits.ts';

export interface SharePagesDeps {
  readonly state: HomeState;
  readonly pageSessions: PageSessions;
  readonly pagesDirectory: string;
}

/** What went wrong with a form of the page. */
export interface PageProblem {
  readonly message: string;
  readonly status: number;
}

/** The same address answers programs with JSON. */
const VARY = { Vary: 'Accept' };

export class SharePages {
  readonly #state: HomeState;
  readonly #pageSessions: PageSessions;
  readonly #script: string | undefined;

  constructor({ state, pageSessions, pagesDirectory }: SharePagesDeps) {
    this.#state = state;
    this.#pageSessions = pageSessions;
    this.#script = findScript(pagesDirectory);
  }

  share(c: FaceContext, share: OpenShare, problem?: PageProblem): Response {
    const script = this.#script;
    const view = viewShare(share, this.#state);
    const page = SharePage({ share, view, ground: this.#ground(c), script, problem: problem?.message });
    return answerPage(c, page, { status: problem?.status ?? 200, scripts: script !== undefined, headers: VARY });
  }

  /** For a link that acts, where a link alone may not: 405, as programs get, with a button that may. */
  confirm(c: FaceContext, share: OpenShare, verb: Verb): Response {
    if (share.role !== 'control') throw new HearthError('insufficient_permissions', 'This share only shows.');
    // A value that can't be is told now, and not after the touch.
    verb.settings(c.req.param());
    const { path } = c.req;
    const act = decodeURIComponent(path.slice(addressOf(c).length + 1)).replaceAll('/', ' ');
    const page = ConfirmPage({ ground: this.#ground(c), action: path, act });
    return answerPage(c, page, { status: 405, headers: { ...VARY, Allow: 'POST' } });
  }

  /** @param describe what it would take to open the share. @throws `share_not_found` */
  refuse(c: FaceContext, error: unknown, requestId: string, describe: (caller: Caller) => ShareDescription): Response {
    if (!(error instanceof HearthError)) return presentErrorPage(error, c, requestId);
    const ground = this.#ground(c);
    const caller = c.get('caller');
    const { status, headers } = answerHead(error, requestId, '');
    const options = { status, headers: { ...headers, ...VARY } };
    if (error.code === 'passcode_required') {
      const wasTried = c.req.method === 'POST' || c.req.query('passcode') !== undefined;
      return answerPage(c, PasscodePage({ ground, problem: wasTried ? error.message : undefined }), options);
    }
    if (error.code === 'insufficient_permissions') {
      const { requiresSignIn, isOpenNow } = describe(caller);
      const isClosed = requiresSignIn || !isOpenNow;
      if (isClosed) return answerPage(c, ClosedPage({ ground, error, requiresSignIn }), options);
    }
    return presentErrorPage(error, c, requestId);
  }

  #ground(c: FaceContext): FormGround {
    return { address: addressOf(c), csrf: this.#pageSessions.csrfToken(c) };
  }
}

/** `/s/{hash}` */
export function addressOf(c: FaceContext): string {
  return `/s/${encodeURIComponent(hashOf(c))}`;
}
