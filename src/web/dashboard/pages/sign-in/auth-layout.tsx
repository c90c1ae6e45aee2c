/**
 * The frame of the pages before the home: the brand, one sheet, and the language choice, which is not available before.
 */

import signInTexts from 'texts:sign-in';
import type { ReactNode } from 'react';
import { LANGUAGES, type Language } from '../../../../texts/languages.ts';
import { setLanguage, useLanguage } from '../../texts/language.ts';
import { useTexts } from '../../texts/texts.ts';
import classes from './auth-layout.module.css';

interface AuthLayoutProps {
  readonly children: ReactNode;
  /** For forms with lists, which need more width. */
  readonly wide?: boolean;
}

export function AuthLayout({ children, wide = false }: AuthLayoutProps) {
  return (
    <div className={classes.place}>
      <header className={classes.top}>
        <p className={classes.brand}>
          <Hearth />
          hearthd
        </p>
        <LanguageChoice />
      </header>
      <main id="content" className={classes.sheet} data-wide={wide || undefined}>
        {children}
      </main>
    </div>
  );
}

function LanguageChoice() {
  const t = useTexts(signInTexts);
  const language = useLanguage();
  return (
    <select
      className={classes.language}
      aria-label={t.language}
      value={language}
      onChange={({ currentTarget }) => void setLanguage(currentTarget.value as Language)}
    >
      {Object.entries(LANGUAGES).map(([tag, name]) => (
        <option key={tag} value={tag} lang={tag}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** The same icon as on the pages that the relay renders (`src/api/html/icon.ts`). */
function Hearth() {
  return (
    <svg viewBox="0 0 32 32" width="36" height="36" aria-hidden="true" focusable="false">
      <path className={classes.roof} d="M4 15.5 16 5l12 10.5V27a1.5 1.5 0 0 1-1.5 1.5h-21A1.5 1.5 0 0 1 4 27Z" />
      <path
        className={classes.flame}
        d="M16.4 12.6c.5 2.9 4.1 4.4 4.1 8a4.5 4.5 0 0 1-9 .2c0-2.1 1.3-2.9 1.7-4.7 1.1.5 1.5 1.3 1.6 2 .9-1.3 1.7-3 1.6-5.5Z"
      />
    </svg>
  );
}
