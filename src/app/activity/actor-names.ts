/** Describes callers for people: what they are, and their names at this moment. */
import type { ActivityActor } from '../../contract/activity.ts';
import { unreachable } from '../../kernel/errors.ts';
import type { ActivityCause } from './attribution.ts';

/** The names of callers by their ids; `undefined` for what is deleted. */
export interface NameSources {
  user(id: string): string | undefined;
  accessToken(id: string): string | undefined;
  app(clientId: string): string | undefined;
  automation(id: string): string | undefined;
  mqttBroker(id: string): string | undefined;
  publication(id: string): string | undefined;
  /** A person of a home, with or without an account. */
  person(homeId: string, id: string): { readonly name: string; readonly userId: string | null } | undefined;
  /** The shared thing: the link itself is a secret. */
  sharedThing(shareHash: string): { readonly id: string; readonly name: string } | undefined;
}

export function describeActor(cause: ActivityCause, names: NameSources): ActivityActor {
  switch (cause.kind) {
    case 'device':
      return { kind: 'device', id: null, name: null };
    case 'system':
    case 'anonymous':
      return { kind: 'relay', id: null, name: null };
    case 'user':
    case 'enrolling':
      return { kind: 'user', id: cause.userId, name: names.user(cause.userId) ?? null };
    case 'access_token':
      return { kind: 'access_token', id: cause.tokenId, name: names.accessToken(cause.tokenId) ?? null };
    case 'oauth_client':
      return { kind: 'app', id: cause.clientId, name: names.app(cause.clientId) ?? null };
    case 'share_link': {
      const thing = names.sharedThing(cause.shareHash);
      return { kind: 'share_link', id: thing?.id ?? null, name: thing?.name ?? null };
    }
    case 'automation':
      return { kind: 'automation', id: cause.automationId, name: names.automation(cause.automationId) ?? null };
    case 'mqtt_broker':
      return { kind: 'mqtt_broker', id: cause.brokerId, name: names.mqttBroker(cause.brokerId) ?? null };
    case 'publication':
      return { kind: 'publication', id: cause.publicationId, name: names.publication(cause.publicationId) ?? null };
    default:
      return unreachable(cause);
  }
}
