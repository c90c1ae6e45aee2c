/** Tabs of the pages about people, shares and apps: links, because each has its own address. */

import peopleTexts from 'texts:people';
import { Group } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { useTexts } from '../../texts/texts.ts';
import classes from './people-tabs.module.css';

export function PeopleTabs() {
  const { tabs } = useTexts(peopleTexts);
  const links = [
    { path: '/people', text: tabs.people },
    { path: '/people/shares', text: tabs.shares },
    { path: '/people/apps', text: tabs.apps },
  ];
  return <TabLinks label={tabs.label} links={links} />;
}

interface TabLinksProps {
  readonly label: string;
  readonly links: readonly { readonly path: string; readonly text: string }[];
}

export function TabLinks({ label, links }: TabLinksProps) {
  const [location] = useLocation();
  // A tab includes the pages below its own; of two nested tabs the longer path wins.
  const current = links
    .map(({ path }) => path)
    .filter((path) => location === path || location.startsWith(`${path}/`))
    .sort((a, b) => b.length - a.length)[0];
  return (
    <Group aria-label={label} component="nav" gap={6} align="stretch">
      {links.map(({ path, text }) => (
        <Link key={path} href={path} className={classes.tab ?? ''} aria-current={current === path ? 'page' : undefined}>
          {text}
        </Link>
      ))}
    </Group>
  );
}
