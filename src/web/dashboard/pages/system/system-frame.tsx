/** The frame of every part of System: its title, and the way to the other parts. */
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useAccount } from '../../account/account.ts';
import { useTexts } from '../../texts/texts.ts';
import { Page } from '../../ui/page.tsx';
import classes from './system-frame.module.css';
import { systemTexts } from './texts/texts.ts';

interface FrameProps {
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** What concerns the relay with all its homes: for who owns every one of them (decisions §7). */
const OF_OWNERS = ['logs', 'settings', 'backups'] as const;
const OF_MANAGERS = ['status', 'devices'] as const;

export function SystemFrame({ lead, actions, children }: FrameProps) {
  const t = useTexts(systemTexts);
  const [path] = useLocation();
  const { homes } = useAccount();
  const ownsAll = homes.every(({ role }) => role === 'owner');
  const parts = [...OF_MANAGERS, ...(ownsAll ? OF_OWNERS : [])];
  return (
    <Page title={t.title} lead={lead} actions={actions}>
      <nav aria-label={t.parts.label} className={classes.parts}>
        {parts.map((part) => {
          const href = part === 'status' ? '/system' : `/system/${part}`;
          return (
            <Link
              key={part}
              href={href}
              className={classes.part ?? ''}
              aria-current={path === href ? 'page' : undefined}
            >
              {t.parts[part]}
            </Link>
          );
        })}
      </nav>
      {children}
    </Page>
  );
}
