/** The frame around every page: the menu (at the side, on phones at the bottom), which home is shown, and whether the relay is there. */
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { chooseHome, useAccount } from '../account/account.ts';
import { useHouse, useRights } from '../house/use-house.ts';
import { NAV, type NavRow } from '../routes.ts';
import { useTexts } from '../texts/texts.ts';
import { ConnectionNotice } from './connection-notice.tsx';
import { NAV_ICONS } from './nav-icons.ts';
import { SearchHost } from './search/search-host.tsx';
import classes from './shell.module.css';
import { shellTexts } from './texts/texts.ts';

export function Shell({ children }: { readonly children: ReactNode }) {
  const t = useTexts(shellTexts);
  const rows = useNavRows();
  const [isMoreOpen, setMoreOpen] = useState(false);
  const [path] = useLocation();
  const isMore = !rows.some((row) => row.isMain && isAt(path, row.path));
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
      </aside>
      <main id="content" tabIndex={-1} className={classes.main}>
        <ConnectionNotice />
        {children}
      </main>
      <SearchHost />
      {isMoreOpen && <MoreSheet rows={rows.filter((row) => !row.isMain)} onClose={() => setMoreOpen(false)} />}
      <nav aria-label={t.nav.label} className={classes.bar}>
        {rows
          .filter(({ isMain }) => isMain)
          .map((row) => (
            <NavLink key={row.path} row={row} onGo={() => setMoreOpen(false)} />
          ))}
        <button
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

function NavLink({ row: { path, label, icon }, onGo }: { readonly row: NavRow; readonly onGo?: () => void }) {
  const t = useTexts(shellTexts);
  const [current] = useLocation();
  const Icon = NAV_ICONS[icon];
  const isHere = isAt(current, path);
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
    </Link>
  );
}

function isAt(current: string, path: string): boolean {
  if (path === '/') return current === '/' || current.startsWith('/rooms/') || current.startsWith('/accessories/');
  return current === path || current.startsWith(`${path}/`);
}

function MoreSheet({ rows, onClose }: { readonly rows: readonly NavRow[]; readonly onClose: () => void }) {
  const t = useTexts(shellTexts);
  return (
    <div className={classes.sheet}>
      <button type="button" className={classes.scrim} aria-label={t.nav.more} onClick={onClose} />
      <nav aria-label={t.nav.more} className={classes.sheetBody}>
        <HomeSwitcher />
        {rows.map((row) => (
          <NavLink key={row.path} row={row} onGo={onClose} />
        ))}
      </nav>
    </div>
  );
}

/** The home's name; where there are several, which of them is on the screen. */
function HomeSwitcher() {
  const t = useTexts(shellTexts);
  const house = useHouse();
  const { homes } = useAccount();
  if (homes.length < 2) return <p className={classes.homeName}>{house.name}</p>;
  return (
    <select
      className={classes.homeName}
      aria-label={t.switchHome}
      value={house.id}
      onChange={({ currentTarget }) => chooseHome(currentTarget.value)}
    >
      {homes.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
