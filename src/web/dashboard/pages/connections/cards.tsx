/** The cards of the page, one for each kind of connection. Each asks for its own state. */
import connectionsTexts from 'texts:connections';
import { AppWindow, Bot, Cast, KeyRound, MapPin, RadioTower, Webhook } from 'lucide-react';
import { useDeveloperMode } from '../../account/developer-mode.ts';
import { present } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { useHome, useRights } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { PersonsQuery } from '../people/documents.ts';
import { PublicationsQuery } from '../publish/publish-documents.ts';
import { mcpAddress, relayAddress } from './addresses.ts';
import { AppsQuery } from './apps/documents.ts';
import { type CardState, ConnectionCard } from './connection-card.tsx';
import { TokensQuery, WebhooksQuery } from './documents.ts';
import { MqttQuery } from './mqtt/mqtt-documents.ts';
import { isOver } from './tokens/token-state.ts';

/** No live event reports what brokers, bridges and receivers do. */
const ASK_EVERY_MS = 5_000;

export function AppleHomeCard() {
  const { cards } = useTexts(connectionsTexts);
  const { id: homeId } = useHome();
  const { data } = useApiQuery(PublicationsQuery, { homeId }, { subjects: ['publications'], everyMs: ASK_EVERY_MS });
  const all = data && present(data.publications);
  const state = useCardState(all?.length, (count) => {
    if (all?.some(({ status }) => status === 'error')) return { tone: 'bad', text: cards.failing };
    return { tone: 'good', text: cards.appleHome.state({ count }) };
  });
  return <Card kind="appleHome" icon={Cast} path="/publish" state={state} count={all?.length} />;
}

export function MqttCard() {
  const { cards } = useTexts(connectionsTexts);
  const { id: homeId } = useHome();
  const { data } = useApiQuery(MqttQuery, { homeId }, { subjects: ['mqtt'], everyMs: ASK_EVERY_MS });
  const brokers = data && present(data.homeMqttStatus?.brokers);
  const state = useCardState(brokers?.length, () => {
    if (brokers?.some(({ status }) => status === 'error')) return { tone: 'bad', text: cards.notConnected };
    if (brokers?.some(({ status }) => status === 'connected')) return { tone: 'good', text: cards.connected };
    return { tone: 'neutral', text: cards.off };
  });
  return <Card kind="mqtt" icon={RadioTower} path="/connections/mqtt" state={state} count={brokers?.length} />;
}

export function AssistantsCard() {
  const { cards } = useTexts(connectionsTexts);
  const { title, lead, address, how } = cards.assistants;
  const state = { tone: 'good', text: cards.ready } as const;
  const action = { href: '/connections/assistants', text: how };
  return (
    <ConnectionCard icon={Bot} title={title} lead={lead} state={state} action={action}>
      <CopyField label={address} value={mcpAddress()} />
    </ConnectionCard>
  );
}

export function AppsCard() {
  const { cards } = useTexts(connectionsTexts);
  const { title, lead, address, how, state: words } = cards.apps;
  const { data } = useApiQuery(AppsQuery, {}, { subjects: ['apps'], everyMs: ASK_EVERY_MS });
  const count = data && present(data.authorizedApps).length;
  const state = useCardState(count, (found) => ({ tone: 'good', text: words({ count: found }) }));
  const action = { href: '/connections/apps', text: count ? cards.manage : how };
  return (
    <ConnectionCard icon={AppWindow} title={title} lead={lead} state={state} action={action}>
      <CopyField label={address} value={relayAddress()} />
    </ConnectionCard>
  );
}

export function WebhooksCard() {
  const { cards } = useTexts(connectionsTexts);
  const { isOn } = useDeveloperMode();
  const query = { subjects: ['webhooks'], everyMs: ASK_EVERY_MS, enabled: isOn } as const;
  const { data } = useApiQuery(WebhooksQuery, {}, query);
  const webhooks = data && present(data.webhooks);
  const state = useCardState(webhooks?.length, (count) => {
    const isFailing = webhooks?.some(
      ({ status, consecutiveFailures }) => status === 'disabled' || consecutiveFailures > 0,
    );
    if (isFailing) return { tone: 'bad', text: cards.failing };
    return { tone: 'good', text: cards.webhooks.state({ count }) };
  });
  const shown = isOn ? state : ({ tone: 'neutral', text: cards.off } as const);
  return <Card kind="webhooks" icon={Webhook} path="/connections/webhooks" state={shown} count={webhooks?.length} />;
}

export function PhonesCard() {
  const { cards } = useTexts(connectionsTexts);
  const { id: homeId } = useHome();
  const { data } = useApiQuery(PersonsQuery, { homeId }, { subjects: ['people'] });
  const reported = data && present(data.people).filter(({ changedAt }) => changedAt !== null).length;
  const state = useCardState(reported, (count) => ({ tone: 'good', text: cards.phones.state({ count }) }));
  const { title, lead, setUp } = cards.phones;
  const { canManage } = useRights();
  const action = { href: '/connections/phones', text: canManage ? setUp : cards.show };
  return <ConnectionCard icon={MapPin} title={title} lead={lead} state={state} action={action} />;
}

export function TokensCard() {
  const { cards } = useTexts(connectionsTexts);
  const { isOn } = useDeveloperMode();
  const { data } = useApiQuery(TokensQuery, {}, { subjects: ['tokens'], enabled: isOn });
  const count = data && present(data.accessTokens).filter((token) => !isOver(token)).length;
  const state = useCardState(count, (found) => ({ tone: 'good', text: cards.tokens.state({ count: found }) }));
  const shown = isOn ? state : ({ tone: 'neutral', text: cards.off } as const);
  return <Card kind="tokens" icon={KeyRound} path="/connections/tokens" state={shown} count={count} />;
}

interface KindCardProps {
  readonly kind: 'appleHome' | 'mqtt' | 'webhooks' | 'tokens';
  readonly icon: typeof Cast;
  readonly path: string;
  readonly state: CardState | undefined;
  /** How many there are; `undefined`: not known. */
  readonly count: number | undefined;
}

/** The button sets up the first one, and leads to those that exist. */
function Card({ kind, icon, path, state, count = 0 }: KindCardProps) {
  const { cards } = useTexts(connectionsTexts);
  const { title, lead, setUp } = cards[kind];
  const action = count > 0 ? { href: path, text: cards.manage } : { href: `${path}?new`, text: setUp };
  return <ConnectionCard icon={icon} title={title} lead={lead} state={state} action={action} />;
}

/** @param stateOf the state once there is something */
function useCardState(count: number | undefined, stateOf: (count: number) => CardState): CardState | undefined {
  const { cards } = useTexts(connectionsTexts);
  if (count === undefined) return undefined;
  return count === 0 ? { tone: 'neutral', text: cards.notSetUp } : stateOf(count);
}
