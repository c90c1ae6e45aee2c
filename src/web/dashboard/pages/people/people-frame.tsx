/** The frame of the pages about people and shares: one title, and their tabs. */
import peopleTexts from 'texts:people';
import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts.ts';
import { Page } from '../../ui/page.tsx';
import { TabLinks } from '../../ui/tab-links.tsx';

interface PeopleFrameProps {
  readonly lead: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function PeopleFrame({ lead, actions, children }: PeopleFrameProps) {
  const { title, tabs } = useTexts(peopleTexts);
  const links = [
    { path: '/people', text: tabs.people },
    { path: '/people/shares', text: tabs.shares },
  ];
  return (
    <Page title={title} lead={lead} actions={actions} narrow>
      <TabLinks label={tabs.label} links={links} />
      {children}
    </Page>
  );
}
