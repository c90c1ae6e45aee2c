/** The frame of the page of one kind of connection: the way back to all of them, and who may use it. */
import connectionsTexts from 'texts:connections';
import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useManagesHome } from '../../account/account.ts';
import { useTexts } from '../../texts/texts.ts';
import { EmptyState, Page } from '../../ui/page.tsx';
import classes from './connections.module.css';

interface ConnectionFrameProps {
  readonly title: string;
  readonly lead: string;
  readonly actions?: ReactNode;
  /** Only for users who manage a home. */
  readonly isForManagers?: boolean;
  readonly children: ReactNode;
}

export function ConnectionFrame({ title, lead, actions, isForManagers = false, children }: ConnectionFrameProps) {
  const t = useTexts(connectionsTexts);
  const managesHome = useManagesHome();
  const mayUse = managesHome || !isForManagers;
  const back = (
    <Link href="/connections" className={classes.back ?? ''}>
      <ChevronLeft aria-hidden />
      {t.title}
    </Link>
  );
  return (
    <Page title={title} lead={lead} actions={mayUse && actions} above={back} narrow>
      {mayUse ? children : <EmptyState title={title}>{t.onlyManagers}</EmptyState>}
    </Page>
  );
}
