/** The elements of every page: a heading with its actions, and the states for loading, error and empty. */

import commonTexts from 'texts:common';
import { Button, Loader } from '@mantine/core';
import { type ReactNode, Suspense, useEffect } from 'react';
import { dateFormat } from '../../../texts/intl.ts';
import { useHomeZone } from '../home/home-zone.ts';
import { useTexts } from '../texts/texts.ts';
import { useErrorText } from './error-text.ts';
import { useHashTarget } from './hash-target.ts';
import { lazyPart } from './load-part.ts';
import classes from './page.module.css';

const ZoneLine = lazyPart(() => import('./zone-line.tsx'), 'ZoneLine');

interface PageFrameProps {
  readonly title: string;
  /** One line below the title. */
  readonly lead?: ReactNode;
  /** Buttons beside the title; on phones one with a plus, or with `data-short`, is its icon alone. */
  readonly actions?: ReactNode;
  /** The back link, above the title. */
  readonly above?: ReactNode;
  readonly children: ReactNode;
  /** Forms and text are easier to read in a narrow column. */
  readonly narrow?: boolean;
  /** Tiles use the whole width of a large screen. */
  readonly isWide?: boolean;
  /** Has no times of day and no dates, or is beside a page that names their zone. */
  readonly isTimeless?: boolean;
}

export function Page({ title, lead, actions, above, children, isTimeless, ...widths }: PageFrameProps) {
  const zone = useHomeZone();
  useWindowTitle(title);
  return (
    <div className={classes.page} data-narrow={widths.narrow || undefined} data-wide={widths.isWide || undefined}>
      {above && <div className={classes.above}>{above}</div>}
      <header className={`h-plate ${classes.header}`}>
        <h1 className={classes.title}>{title}</h1>
        {actions && <div className={classes.actions}>{actions}</div>}
        {lead && <p className={classes.lead}>{lead}</p>}
        {!isTimeless && zone && zone !== dateFormat('en', {}).resolvedOptions().timeZone && (
          <Suspense>
            <ZoneLine />
          </Suspense>
        )}
      </header>
      {children}
    </div>
  );
}

function useWindowTitle(title: string | false): void {
  useEffect(() => {
    if (!title) return undefined;
    const before = document.title;
    document.title = `${title} · hearthd`;
    // A sheet beside the home closes, and the home is named again.
    return () => {
      document.title = before;
    };
  }, [title]);
}

interface SectionProps {
  /** Its address within the page: `/settings#password` shows it. */
  readonly id?: string;
  readonly title?: ReactNode;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A section of a page with its own heading, on a card. */
export function Section({ id, title, lead, actions, children }: SectionProps) {
  const section = useHashTarget(id);
  return (
    <section ref={section} id={id} tabIndex={id ? -1 : undefined} className={classes.section}>
      {(title || actions) && (
        <div className={classes.sectionHeader}>
          {title && <h2 className={classes.sectionTitle}>{title}</h2>}
          {actions && <div className={classes.actions}>{actions}</div>}
        </div>
      )}
      {lead && <p className={classes.lead}>{lead}</p>}
      {children}
    </section>
  );
}

interface EmptyStateProps {
  readonly icon?: ReactNode;
  readonly title: string;
  /** Explains the purpose, and how to begin. */
  readonly children: ReactNode;
  readonly action?: ReactNode;
  /** The state fills a whole page, so its title is the page's heading. */
  readonly isPage?: boolean;
}

export function EmptyState({ icon, title, children, action, isPage = false }: EmptyStateProps) {
  const Title = isPage ? 'h1' : 'h2';
  useWindowTitle(isPage && title);
  return (
    <div className={classes.empty}>
      {icon && (
        <div className={classes.emptyIcon} aria-hidden>
          {icon}
        </div>
      )}
      <Title className={classes.sectionTitle}>{title}</Title>
      <div className={classes.lead}>{children}</div>
      {action}
    </div>
  );
}

export function Loading({ label }: { readonly label?: string }) {
  const t = useTexts(commonTexts);
  return (
    <div className={classes.loading} role="status">
      <Loader aria-hidden />
      <span>{label ?? t.loading}</span>
    </div>
  );
}

/** The error and its remedy. */
export function ErrorNotice({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const t = useTexts(commonTexts);
  const textOf = useErrorText();
  return (
    <div className={classes.error} role="alert">
      <span>{textOf(error)}</span>
      {onRetry && (
        <Button variant="default" onClick={onRetry}>
          {t.retry}
        </Button>
      )}
    </div>
  );
}

interface AnswerProps<T> {
  readonly query: { readonly data: T | undefined; readonly error: unknown; refetch(): unknown };
  readonly children: (data: T) => ReactNode;
}

/** Renders the data once it is loaded; earlier data stays if a reload fails. */
export function Answer<T>({ query, children }: AnswerProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading />;
}
