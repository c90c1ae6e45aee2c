/**
 * The frame around every page: the menu (at the side, on phones at the bottom), the home switcher, the account, and the
 * connection status.
 */

import shellTexts from 'texts:shell';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { chooseHome, useAccount } from '../account/account.ts';
import { signOut } from '../api/sign-out.ts';
import { useHome, useRights } from '../home/use-home.ts';
import { pageAt, RoomPage } from '../routes.ts';
import { useTexts } from '../texts/texts.ts';
import { mayLeave } from '../ui/leave-guard.ts';
import { ConnectionNotice } from './connection-notice.tsx';
import { kioskNow } from './kiosk/kiosk.ts';
import { KioskShell } from './kiosk/kiosk-shell.tsx';
import { NAV, type NavRow } from './nav.ts';
import { NAV_ICONS } from './nav-icons.ts';
import { NewVersionBadge } from './new-version-badge.tsx';
import { SearchHost } from './search/search-host.tsx';
import classes from './shell.module.css';
import { ShortcutsHost } from './shortcuts/shortcuts-host.tsx';
import { UnreadBadge } from './unread-badge.tsx';

export function Shell({ children }: { readonly children: ReactNode }) {
  const query = kioskNow();
  return query ? <KioskShell query={query}>{children}</KioskShell> : <WithMenu>{children}</WithMenu>;
}

function WithMenu({ children }: { readonly children: ReactNode }) {
  const t = useTexts(shellTexts);
  const rows = useNavRows();
  const [isMoreOpen, setMoreOpen] = useState(false);
  const [path] = useLocation();
  const isMore = rows.some((row) => !row.isMain && isWithin(path, row));
  const more = useRef<HTMLButtonElement>(null);
  const closeMore = () => {
    setMoreOpen(false);
    more.current?.focus();
  };
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#content">
        {t.skip}
      </a>
      <aside className={classes.side}>
        <HomeSwitcher />
        <nav aria-label={t.nav.label} className={classes.nav}>
          {rows.map((row) => (
            <NavLink key={row.path} row={row} />
          ))}
        </nav>
        <SignedIn />
      </aside>
      <main id="content" tabIndex={-1} className={classes.main}>
        <ConnectionNotice />
        {children}
      </main>
      <SearchHost />
      <ShortcutsHost />
      {isMoreOpen && (
        <MoreSheet rows={rows.filter((row) => !row.isMain)} onClose={closeMore} onGo={() => setMoreOpen(false)} />
      )}
      <nav aria-label={t.nav.label} className={classes.bar}>
        {rows
          .filter(({ isMain }) => isMain)
          .map((row) => (
            <NavLink key={row.path} row={row} onGo={() => setMoreOpen(false)} />
          ))}
        <button
          ref={more}
          type="button"
          className={classes.link}
          aria-expanded={isMoreOpen}
          data-active={isMore || undefined}
          onClick={() => setMoreOpen(!isMoreOpen)}
        >
          <NAV_ICONS.more aria-hidden />
          <span>{t.nav.more}</span>
        </button>
      </nav>
    </div>
  );
}

function useNavRows(): readonly NavRow[] {
  const { canManage } = useRights();
  const { settings } = useAccount();
  return NAV.filter((row) => {
    if (row.for === 'managers') return canManage;
    if (row.for === 'developers') return settings.developerMode;
    return true;
  });
}

function NavLink({ row, onGo }: { readonly row: NavRow; readonly onGo?: () => void }) {
  const t = useTexts(shellTexts);
  const [current] = useLocation();
  const { path, label, icon } = row;
  const Icon = NAV_ICONS[icon];
  const isHere = isWithin(current, row);
  return (
    <Link
      href={path}
      className={classes.link ?? ''}
      aria-current={isHere ? 'page' : undefined}
      data-active={isHere || undefined}
      onClick={onGo}
    >
      <Icon aria-hidden />
      <span>{t.nav[label]}</span>
      {path === '/notifications' && <UnreadBadge />}
      {path === '/system' && <NewVersionBadge />}
    </Link>
  );
}

/** An address without a page is within no entry. A room belongs to the home page, where its way back leads. */
function isWithin(current: string, { path, also = [] }: NavRow): boolean {
  const page = pageAt(current);
  if (page === RoomPage) return path === '/';
  const isBelow = (part: string) => current === part || (part !== '/' && current.startsWith(`${part}/`));
  return [path, ...also].some(isBelow) && page !== undefined;
}

interface MoreSheetProps {
  readonly rows: readonly NavRow[];
  readonly onClose: () => void;
  /** After a navigation, the new page takes the focus. */
  readonly onGo: () => void;
}

function MoreSheet({ rows, onClose, onGo }: MoreSheetProps) {
  const t = useTexts(shellTexts);
  const body = useRef<HTMLElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    body.current?.focus();
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') close.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <div className={classes.sheet}>
      <button type="button" className={classes.scrim} aria-label={t.nav.close} onClick={onClose} />
      <nav ref={body} tabIndex={-1} aria-label={t.nav.more} className={classes.sheetBody}>
        <HomeSwitcher />
        {rows.map((row) => (
          <NavLink key={row.path} row={row} onGo={onGo} />
        ))}
        <SignedIn />
      </nav>
    </div>
  );
}

/** Whose account it is, in which home, and the way out. */
function SignedIn() {
  const t = useTexts(shellTexts);
  const { me } = useAccount();
  const { name: home } = useHome();
  const leave = async (): Promise<void> => {
    if (await mayLeave()) await signOut();
  };
  return (
    <div className={classes.account}>
      <p className={classes.who}>
        <strong>{me.name}</strong>
        <span className={classes.homeOf}>{home}</span>
      </p>
      <button type="button" className={classes.link} onClick={() => void leave()}>
        <NAV_ICONS.signOut aria-hidden />
        <span>{t.signOut}</span>
      </button>
    </div>
  );
}

/** The home's name; with several homes, a selection of the displayed one. */
function HomeSwitcher() {
  const t = useTexts(shellTexts);
  const inventory = useHome();
  const { homes } = useAccount();
  if (homes.length < 2) return <p className={classes.homeName}>{inventory.name}</p>;
  const change = async (id: string): Promise<void> => {
    if (await mayLeave()) chooseHome(id);
  };
  return (
    <select
      className={classes.homeName}
      aria-label={t.switchHome}
      value={inventory.id}
      onChange={({ currentTarget }) => void change(currentTarget.value)}
    >
      {homes.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
