/** The frame of the page of one kind of connection: the way back to all of them, and who may use it. */
import connectionsTexts from 'texts:connections';
import type { ReactNode } from 'react';
import { useManagesHome } from '../../account/account.ts';
import { useTexts } from '../../texts/texts.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { EmptyState, Page } from '../../ui/page.tsx';

interface ConnectionFrameProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  /** Only for users who manage a home. */
  readonly isForManagers?: boolean;
  /** The link above the title: to all connections by default. */
  readonly above?: ReactNode;
  readonly children: ReactNode;
}

export function ConnectionFrame({ isForManagers = false, ...props }: ConnectionFrameProps) {
  const { title, lead, actions, above, children } = props;
  const t = useTexts(connectionsTexts);
  const managesHome = useManagesHome();
  const mayUse = managesHome || !isForManagers;
  const back = above ?? <BackLink href="/connections">{t.title}</BackLink>;
  return (
    <Page title={title} lead={lead} actions={mayUse && actions} above={back} narrow>
      {mayUse ? children : <EmptyState title={title}>{t.onlyManagers}</EmptyState>}
    </Page>
  );
}
