/** The frame of every System page: its title, and tabs to the other ones. */

import systemTexts from 'texts:system';
import type { ReactNode } from 'react';
import { useOwnsRelay } from '../../account/account.ts';
import { useTexts } from '../../texts/texts.ts';
import { Page } from '../../ui/page.tsx';
import { TabLinks } from '../../ui/tab-links.tsx';

interface FrameProps {
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Pages about the relay with all its homes: for users who own every home (decisions §7). */
const OF_OWNERS = ['logs', 'backups'] as const;
const OF_MANAGERS = ['status', 'devices'] as const;
const AT_THE_END = ['news'] as const;

const PATHS = {
  status: '/system',
  devices: '/system/devices',
  logs: '/system/logs',
  backups: '/system/backups',
  news: '/system/news',
} as const;

export function SystemFrame({ lead, actions, children }: FrameProps) {
  const t = useTexts(systemTexts);
  const ownsRelay = useOwnsRelay();
  const parts = [...OF_MANAGERS, ...(ownsRelay ? OF_OWNERS : []), ...AT_THE_END];
  return (
    <Page title={t.title} lead={lead} actions={actions}>
      <TabLinks label={t.parts.label} links={parts.map((part) => ({ path: PATHS[part], text: t.parts[part] }))} />
      {children}
    </Page>
  );
}
