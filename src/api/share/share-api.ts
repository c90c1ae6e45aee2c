/** The handlers of a share's routes: open it, call one operation, respond to a program or a person. */
import { addressKey } from '../../app/access/attempts.ts';
import { insufficientPermissions } from '../../app/access/authorize.ts';
import { ShareRateLimits } from '../../app/sharing/request-limits.ts';
import type { ShareCommand, ShareControl } from '../../app/sharing/share-control.ts';
import type { OpenShare, Shares } from '../../app/sharing/shares.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import type { HomeState } from '../../home/home-state.ts';
import { HearthError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { ApiContext } from '../env.ts';
import type { FailureLog } from '../failure-log.ts';
import type { GuardOptions } from '../guards.ts';
import { seeOther } from '../html/page.tsx';
import { foreignForm, type PageSessions } from '../html/page-session.ts';
import { inItsWords, PageError, sentenceOf } from '../html/sentences.ts';
import { languageOf, languageOfPage } from '../language.ts';
import type { LiveClients } from '../live/live-clients.ts';
import { wantsPage } from '../prefers-page.ts';
import { answer, answerJson } from '../respond.ts';
import { shareUrls } from '../share-url.ts';
import { liveView, viewShare } from './cards.ts';
import { LiveStreams } from './live-streams.ts';
import { PasscodeGrants } from './passcode-grants.ts';
import { isPrefetchOrPreview } from './prefetch-or-preview.ts';
import { presentShare } from './present-share.ts';
import { answerQrCode } from './qr-code.ts';
import { cardAnchor } from './share-page.tsx';
import { addressOf, SharePages } from './share-pages.tsx';
import { texts, textsOf } from './texts.ts';
import type { Verb } from './verbs.ts';
import { hashOf, Visits } from './visits.ts';

export interface ShareFaceDeps extends HomeDeps<'state' | 'bus' | 'clock'> {
  readonly shares: Shares;
  readonly shareControl: ShareControl;
  readonly pageSessions: PageSessions;
  readonly guards: GuardOptions;
  readonly failures: FailureLog;
  readonly isReady: () => boolean;
  readonly clients?: LiveClients | undefined;
  /** The directory of the built pages. */
  readonly pagesDirectory: string;
}

export class ShareApi {
  readonly #shares: Shares;
  readonly #control: ShareControl;
  readonly #state: HomeState;
  readonly #visits: Visits;
  readonly #pages: SharePages;
  readonly #limits: ShareRateLimits;
  readonly #streams: LiveStreams;
  readonly #urlsOf: (c: ApiContext) => (hash: string) => string;

  constructor(deps: ShareFaceDeps) {
    this.#shares = deps.shares;
    this.#control = deps.shareControl;
    this.#state = deps.state;
    this.#visits = new Visits({ ...deps, grants: new PasscodeGrants(deps) });
    this.#pages = new SharePages(deps);
    this.#limits = new ShareRateLimits(deps);
    const { failures } = deps;
    this.#streams = new LiveStreams({
      ...deps,
      onFailure: (error) => failures.note(error, { requestId: newId(), method: 'GET', path: '/s/…/events' }),
    });
    this.#urlsOf = shareUrls(deps.guards);
  }

  /** GET `/s/{hash}`: the present state of the accessories. */
  async show(c: ApiContext): Promise<Response> {
    this.#countRead(c);
    const share = await this.#visits.byBrowser(c);
    if (!wantsPage(c)) return this.#answerState(c, share);
    if (c.req.query('passcode') === undefined) return this.#pages.share(c, share);
    // Removes the passcode from the URL, where the history and onlookers would see it.
    this.#visits.remember(c, share);
    return seeOther(c, addressOf(c));
  }

  /** GET `/s/{hash}/events`: the same, live. `?view=page&lang=de` for the page's own script. */
  async stream(c: ApiContext): Promise<Response> {
    this.#countRead(c);
    const share = await this.#visits.byBrowser(c);
    if (c.req.method === 'HEAD') return answer(null, 200, { 'Content-Type': 'text/event-stream' });
    const prefix = c.req.query('accessory');
    const words = texts[languageOfPage(c)];
    const present =
      c.req.query('view') === 'page'
        ? (open: OpenShare) => liveView(viewShare(open, this.#state, words))
        : (open: OpenShare) => presentShare(open, this.#state, prefix);
    return this.#streams.answer({ share, address: visitorOf(c), present, env: c.env });
  }

  /** GET `/s/{hash}/qr.svg`: the link as an image, whether or not the share is open now. */
  qrCode(c: ApiContext): Response {
    this.#countRead(c);
    const { hash } = this.#shares.describe(c.get('caller'), hashOf(c));
    return answerQrCode(this.#urlsOf(c)(hash));
  }

  /** GET or POST `/s/{hash}/{verb}`. GET acts too, as the API document defines, if a person initiated it. */
  async act(c: ApiContext, verb: Verb): Promise<Response> {
    this.#countRead(c);
    if (c.req.method === 'POST') {
      const form = await this.#visits.readForm(c);
      return this.#perform(c, await this.#visits.byForm(c, form), verb);
    }
    if (c.req.method === 'HEAD') return this.#answerState(c, await this.#visits.byLink(c));
    if (!wantsPage(c)) return this.#performByGet(c, await this.#visits.byLink(c), verb);
    const share = await this.#openByTouch(c);
    if (share === undefined || this.#control.requiresPost(share, commandOf(c, verb))) {
      return this.#pages.confirm(c, await this.#visits.byBrowser(c), verb);
    }
    this.#visits.remember(c, share);
    return this.#performByGet(c, share, verb);
  }

  /** POST `/s/{hash}/set` `{accessory, property, value}`: one control of the page. */
  async set(c: ApiContext): Promise<Response> {
    this.#countRead(c);
    const form = await this.#visits.readForm(c);
    const share = await this.#visits.byForm(c, form);
    const accessory = form?.fields.get('accessory')?.toLowerCase();
    const property = form?.fields.get('property');
    const value = form?.fields.get('value');
    if (!accessory || !property || value === undefined || value === null) {
      throw new PageError('invalid_request', (language) => texts[language].refused.noSetting);
    }
    const command = { settings: { [property]: value }, accessoryIds: new Set([accessory]) };
    return this.#send(c, share, command, `${addressOf(c)}#${cardAnchor(accessory)}`);
  }

  /** POST `/s/{hash}/passcode` `{passcode, csrf}`: the page's form. */
  async takePasscode(c: ApiContext): Promise<Response> {
    this.#countRead(c);
    const form = await this.#visits.readForm(c);
    if (!form?.isOurs) throw foreignForm();
    const share = await this.#visits.byPasscode(c, form.fields.get('passcode') ?? '');
    if (share.passcode === 'accepted') return seeOther(c, addressOf(c));
    return this.#pages.share(c, share, { message: textsOf(c).passcode.wrong, status: 403 });
  }

  /** The error for a client that prefers a page. */
  refuse(c: ApiContext, error: unknown, requestId: string): Response {
    return this.#pages.refuse(c, error, requestId, (caller) => this.#shares.describe(caller, hashOf(c)));
  }

  /** Opens the share by a touched link alone; `undefined` if that needs cookies. */
  async #openByTouch(c: ApiContext): Promise<OpenShare | undefined> {
    try {
      const share = await this.#visits.byLink(c);
      return share.role === 'control' ? share : undefined;
    } catch (error) {
      const isRefused =
        error instanceof HearthError &&
        (error.code === 'passcode_required' || error.code === 'insufficient_permissions');
      // A rejected passcode is not tried again.
      if (isRefused && c.req.query('passcode') === undefined) return undefined;
      throw error;
    }
  }

  #performByGet(c: ApiContext, share: OpenShare, verb: Verb): Promise<Response> {
    if (isPrefetchOrPreview(c)) {
      throw new PageError('invalid_request', (language) => texts[language].refused.inAdvance);
    }
    requireControl(share);
    if (this.#control.requiresPost(share, commandOf(c, verb))) {
      throw new PageError('method_not_allowed', (language) => texts[language].refused.onlyPost, { allow: ['POST'] });
    }
    return this.#perform(c, share, verb);
  }

  #perform(c: ApiContext, share: OpenShare, verb: Verb): Promise<Response> {
    requireControl(share);
    return this.#send(c, share, commandOf(c, verb), addressOf(c));
  }

  async #send(c: ApiContext, share: OpenShare, command: ShareCommand, next: string): Promise<Response> {
    requireControl(share);
    if (!wantsPage(c)) return answerJson(await this.#control.control(share, command));
    try {
      const report = await this.#control.control(share, command);
      // A reload of the page must not act again.
      if (report.success) return seeOther(c, next);
      return this.#pages.share(c, share, { message: inItsWords(report.errors.join('; '), languageOf(c)), status: 503 });
    } catch (error) {
      if (!(error instanceof HearthError) || error.code !== 'invalid_value') throw error;
      return this.#pages.share(c, share, { message: sentenceOf(error, languageOf(c)), status: 422 });
    }
  }

  #answerState(c: ApiContext, share: OpenShare): Response {
    return answerJson(presentShare(share, this.#state, c.req.query('accessory')), 200, { Vary: 'Accept' });
  }

  #countRead(c: ApiContext): void {
    this.#limits.countRead(visitorOf(c));
  }
}

function commandOf(c: ApiContext, verb: Verb): ShareCommand {
  return { settings: verb.settings(c.req.param()) };
}

/** The key under which requests are counted together. */
function visitorOf(c: ApiContext): string {
  return addressKey(c.get('caller').address);
}

/** Before any value is checked: a visitor with read-only access learns nothing of the settable properties. */
function requireControl({ role }: OpenShare): void {
  if (role !== 'control') throw insufficientPermissions();
}
