/** Tabs of pages that belong together: links, because each has its own address. On phones they scroll in one row. */
import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import classes from './tab-links.module.css';

export interface TabLink {
  readonly path: string;
  readonly text: string;
}

interface TabLinksProps {
  readonly label: string;
  readonly links: readonly TabLink[];
}

export function TabLinks({ label, links }: TabLinksProps) {
  const [location] = useLocation();
  // A tab includes the pages below its own; of two nested tabs the longer path wins.
  const current = links
    .map(({ path }) => path)
    .filter((path) => location === path || location.startsWith(`${path}/`))
    .sort((a, b) => b.length - a.length)[0];
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    if (current === undefined) return;
    const tab = row.current?.querySelector('[aria-current]');
    tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return (
    <nav ref={row} aria-label={label} className={classes.tabs}>
      {links.map(({ path, text }) => (
        <Link key={path} href={path} className={classes.tab ?? ''} aria-current={current === path ? 'page' : undefined}>
          {text}
        </Link>
      ))}
    </nav>
  );
}
