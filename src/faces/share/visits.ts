/**
 * Who comes to a share, and by what right. Programs have the link, and the passcode in the query. A browser may also have been given
 * the passcode earlier, or be that of a person who is signed in; but cookies come with every request to here, whoever's page brought it
 * about, so they count only where that harms nobody: for looking, and for forms of our own pages.
 */
import type { Caller } from '../../app/access/caller.ts';
import type { OpenShare, Shares } from '../../app/sharing/shares.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { FaceContext } from '../env.ts';
import { readForm } from '../html/form.tsx';
import { CSRF_FIELD, type PageSessions } from '../html/page-session.ts';
import type { PasscodeGrants } from './passcode-grants.ts';

export interface VisitDeps {
  readonly shares: Pick<Shares, 'open'>;
  readonly pageSessions: PageSessions;
  readonly grants: PasscodeGrants;
}

/** A form that came with a request. */
export interface VisitForm {
  readonly fields: URLSearchParams;
  /** It is one that this browser was given by us, so that its cookies count. */
  readonly isOurs: boolean;
}

export class Visits {
  readonly #deps: VisitDeps;

  constructor(deps: VisitDeps) {
    this.#deps = deps;
  }

  /** By the link alone, and what stands in the request itself. @throws as `Shares.open` */
  byLink(c: FaceContext): Promise<OpenShare> {
    return this.#deps.shares.open(c.get('caller'), { hash: hashOf(c), passcode: c.req.query('passcode') });
  }

  /** By all that this browser may do; for looking. @throws as `Shares.open` */
  byBrowser(c: FaceContext): Promise<OpenShare> {
    return this.#best(c, c.req.query('passcode'));
  }

  /** By all that this browser may do if the form is ours, else by the link. @throws as `Shares.open` */
  byForm(c: FaceContext, form: VisitForm | undefined): Promise<OpenShare> {
    return form?.isOurs ? this.#best(c, undefined) : this.byLink(c);
  }

  /** By a passcode that was typed in; the browser remembers that it was right. @throws as `Shares.open` */
  async byPasscode(c: FaceContext, passcode: string): Promise<OpenShare> {
    const share = await this.#deps.shares.open(await this.#person(c), { hash: hashOf(c), passcode });
    this.remember(c, share);
    return share;
  }

  /** For a browser whose passcode was right: it need not be given again. */
  remember(c: FaceContext, share: OpenShare): void {
    if (share.passcode === 'accepted') this.#deps.grants.give(c, share);
  }

  /** The form of a POST; none for a program, which sends none. @throws `invalid_request` */
  async readForm(c: FaceContext): Promise<VisitForm | undefined> {
    const isForm = /^application\/x-www-form-urlencoded\b/i.test(c.req.header('content-type') ?? '');
    if (!isForm) return undefined;
    const fields = await readForm(c);
    return { fields, isOurs: fields.has(CSRF_FIELD) && this.#isOurs(c, fields) };
  }

  #isOurs(c: FaceContext, fields: URLSearchParams): boolean {
    try {
      this.#deps.pageSessions.requireCsrf(c, fields);
      return true;
    } catch (error) {
      if (error instanceof HearthError && error.code === 'forbidden_origin') return false;
      throw error;
    }
  }

  /** The better of what was granted to the browser earlier and what is open to whoever uses it. */
  async #best(c: FaceContext, passcode: string | undefined): Promise<OpenShare> {
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

  /** Whoever says so in the request itself goes before whoever is signed in at the browser. */
  async #person(c: FaceContext): Promise<Caller> {
    const caller = c.get('caller');
    if (caller.principal.kind !== 'anonymous') return caller;
    const person = await this.#deps.pageSessions.userOf(c);
    return person ? { ...caller, principal: person.principal } : caller;
  }
}

export function hashOf(c: FaceContext): string {
  return c.req.param('hash') ?? '';
}
