/**
 * Identifies a share's visitor and their permissions. Programs have the link, and the passcode in the query. A browser
 * may also have entered the passcode earlier, or have a signed-in user. But browsers send cookies with every request,
 * even if another site's page caused it. So cookies count only where that does no harm: for reading, and for forms of
 * the relay's own pages.
 */
import type { Caller } from '../../app/access/caller.ts';
import type { OpenShare, Shares } from '../../app/sharing/shares.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { ApiContext } from '../env.ts';
import { readForm } from '../html/form.tsx';
import { CSRF_FIELD, type PageSessions } from '../html/page-session.ts';
import type { PasscodeGrants } from './passcode-grants.ts';

export interface VisitDeps {
  readonly shares: Pick<Shares, 'open'>;
  readonly pageSessions: PageSessions;
  readonly grants: PasscodeGrants;
}

/** A submitted form. */
export interface VisitForm {
  readonly fields: URLSearchParams;
  /** The relay gave the form to this browser, so that its cookies count. */
  readonly isOurs: boolean;
}

export class Visits {
  readonly #deps: VisitDeps;

  constructor(deps: VisitDeps) {
    this.#deps = deps;
  }

  /** With the link and the request's own credentials alone. @throws as `Shares.open` */
  byLink(c: ApiContext): Promise<OpenShare> {
    return this.#deps.shares.open(c.get('caller'), { hash: hashOf(c), passcode: c.req.query('passcode') });
  }

  /** With all permissions of this browser; for reading. @throws as `Shares.open` */
  byBrowser(c: ApiContext): Promise<OpenShare> {
    return this.#best(c, c.req.query('passcode'));
  }

  /**
   * With all permissions of this browser if the form is the relay's, else with the link alone. @throws as `Shares.open`
   */
  byForm(c: ApiContext, form: VisitForm | undefined): Promise<OpenShare> {
    return form?.isOurs ? this.#best(c, undefined) : this.byLink(c);
  }

  /** With an entered passcode; the browser gets a cookie if it is right. @throws as `Shares.open` */
  async byPasscode(c: ApiContext, passcode: string): Promise<OpenShare> {
    const share = await this.#deps.shares.open(await this.#person(c), { hash: hashOf(c), passcode });
    this.remember(c, share);
    return share;
  }

  /** Sets the cookie of a browser whose passcode was right, so that it is not asked again. */
  remember(c: ApiContext, share: OpenShare): void {
    if (share.passcode === 'accepted') this.#deps.grants.give(c, share);
  }

  /** The form of a POST; `undefined` for a program, which sends none. @throws `invalid_request` */
  async readForm(c: ApiContext): Promise<VisitForm | undefined> {
    const isForm = /^application\/x-www-form-urlencoded\b/i.test(c.req.header('content-type') ?? '');
    if (!isForm) return undefined;
    const fields = await readForm(c);
    return { fields, isOurs: fields.has(CSRF_FIELD) && this.#isOurs(c, fields) };
  }

  #isOurs(c: ApiContext, fields: URLSearchParams): boolean {
    try {
      this.#deps.pageSessions.requireCsrf(c, fields);
      return true;
    } catch (error) {
      if (error instanceof HearthError && error.code === 'forbidden_origin') return false;
      throw error;
    }
  }

  /** The better of the browser's grant and its user's own permissions. */
  async #best(c: ApiContext, passcode: string | undefined): Promise<OpenShare> {
    const granted = this.#deps.grants.find(c, hashOf(c));
    if (granted?.role === 'control' && !passcode) return granted;
    try {
      const opened = await this.#deps.shares.open(await this.#person(c), { hash: hashOf(c), passcode });
      return opened.role === 'view' && granted ? granted : opened;
    } catch (error) {
      if (granted && error instanceof HearthError && error.code !== 'rate_limited') return granted;
      throw error;
    }
  }

  /** Credentials in the request itself override the browser's session. */
  async #person(c: ApiContext): Promise<Caller> {
    const caller = c.get('caller');
    if (caller.principal.kind !== 'anonymous') return caller;
    const person = await this.#deps.pageSessions.userOf(c);
    return person ? { ...caller, principal: person.principal } : caller;
  }
}

export function hashOf(c: ApiContext): string {
  return c.req.param('hash') ?? '';
}
