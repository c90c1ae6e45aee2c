/** The frame of all settings: one title, and tabs for the account, the home and the relay, by what the user may see. */
import settingsTexts from 'texts:settings';
import type { ReactNode } from 'react';
import { useOwnsRelay } from '../../account/account.ts';
import { useRights } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { Page } from '../../ui/page.tsx';
import { TabLinks } from '../../ui/tab-links.tsx';

interface SettingsFrameProps {
  readonly lead?: string;
  readonly children: ReactNode;
}

export function SettingsFrame({ lead, children }: SettingsFrameProps) {
  const t = useTexts(settingsTexts);
  const { canManage } = useRights();
  const ownsRelay = useOwnsRelay();
  const links = [
    { path: '/settings', text: t.tabs.account },
    ...(canManage ? [{ path: '/settings/home', text: t.tabs.home }] : []),
    ...(ownsRelay ? [{ path: '/settings/relay', text: t.tabs.relay }] : []),
  ];
  return (
    <Page title={t.title} lead={lead} narrow>
      <TabLinks label={t.tabs.label} links={links} />
      {children}
    </Page>
  );
}
