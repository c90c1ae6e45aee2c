/** A webhook's targets must exist, its maker must manage them, and the relay must be allowed to send to its URL. */
import type { WebhookLists } from '../../contract/webhooks.ts';
import type { HttpJudge } from '../../home/http-sender.ts';
import { type ErrorCode, HearthError } from '../../kernel/errors.ts';
import type { AppDeps } from '../access/app-deps.ts';
import type { Caller } from '../access/caller.ts';
import type { Collections } from '../groups/collections.ts';

const LISTS = ['homeIds', 'roomIds', 'accessoryIds', 'collectionIds'] as const;

interface Deps extends AppDeps<'state' | 'access'> {
  readonly collections: Pick<Collections, 'get'>;
  readonly judge: HttpJudge['judge'];
}

export class WebhookTargets {
  readonly #deps: Deps;

  constructor({ state, access, collections, judge }: Deps) {
    this.#deps = { state, access, collections, judge };
  }

  /**
   * @param before the webhook's current lists: what they contain may be gone.
   * @throws `invalid_value` the URL · `insufficient_permissions` · `home_not_found`, `room_not_found`,
   *         `accessory_not_found`, `not_found` (a collection), each naming its list
   */
  require(
    caller: Caller,
    choices: { readonly url?: string | undefined } & Partial<WebhookLists>,
    before?: WebhookLists,
  ) {
    const error = choices.url === undefined ? null : this.#deps.judge(choices.url);
    if (error !== null) throw new HearthError('invalid_value', `Invalid value for url: ${error}.`, { field: 'url' });
    for (const list of LISTS) {
      for (const id of choices[list] ?? []) {
        if (!before?.[list].includes(id)) this.#requireListed(caller, list, id);
      }
    }
  }

  #requireListed(caller: Caller, list: keyof WebhookLists, id: string): void {
    try {
      this.#requireTarget(caller, list, id);
    } catch (error) {
      throw error instanceof HearthError ? ofField(error, list, id) : error;
    }
  }

  #requireTarget(caller: Caller, list: keyof WebhookLists, id: string): unknown {
    const { access, state, collections } = this.#deps;
    switch (list) {
      case 'homeIds':
        return access.authorizeHome(caller, 'manage', state.home(id));
      case 'roomIds':
        return access.authorizeIn(caller, 'manage', state.room(id), 'room_not_found');
      case 'accessoryIds':
        return access.authorizeAccessory(caller, 'manage', state.accessory(id));
      case 'collectionIds':
        return collections.get(caller, id);
    }
  }
}

/** The error for a missing list entry, with its id and list: there may be hundreds. */
function ofField({ code, message }: HearthError, field: keyof WebhookLists, id: string): HearthError {
  const sentences: Partial<Record<ErrorCode, string>> = {
    not_found: `Collection not found: ${id.slice(0, 80)}`,
    insufficient_permissions: `Insufficient permissions: a webhook receives only what its creator manages (${id})`,
  };
  const sentence = sentences[code] ?? `${message}: ${id.slice(0, 80)}`;
  return new HearthError(code, sentence, { field });
}
