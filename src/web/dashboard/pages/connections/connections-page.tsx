/** What the home can be connected with: a card for each kind, with its state and the way to set it up. */
import connectionsTexts from 'texts:connections';
import { useManagesHome } from '../../account/account.ts';
import { useRights } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { Page } from '../../ui/page.tsx';
import { AppleHomeCard, AppsCard, AssistantsCard, MqttCard, PhonesCard, TokensCard, WebhooksCard } from './cards.tsx';
import classes from './connections.module.css';
import { NetworkSection } from './network-section.tsx';

export function ConnectionsPage() {
  const t = useTexts(connectionsTexts);
  const { canManage } = useRights();
  const managesHome = useManagesHome();
  return (
    <Page title={t.title} lead={t.lead}>
      {canManage && <NetworkSection />}
      <ul className={`h-bare ${classes.cards}`}>
        {canManage && <AppleHomeCard />}
        <AssistantsCard />
        <AppsCard />
        {canManage && <MqttCard />}
        {managesHome && <WebhooksCard />}
        <PhonesCard />
        {managesHome && <TokensCard />}
      </ul>
    </Page>
  );
}
