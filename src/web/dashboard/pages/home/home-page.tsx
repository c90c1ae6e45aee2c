/**
 * The home page: a summary, and all tiles by room. The page itself re-renders only when the layout or the user's
 * arrangement changes; tiles and the summary show the values. `edit/` changes the arrangement and is loaded on demand.
 */

import homeTexts from 'texts:home';
import { Button } from '@mantine/core';
import { House, Pencil, Plus } from 'lucide-react';
import { type CSSProperties, Fragment, lazy, Suspense, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { useHome, useKeptAt, useRights } from '../../home/use-home.ts';
import { kioskNow } from '../../shell/kiosk/kiosk.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { EmptyState, Loading, Page } from '../../ui/page.tsx';
import { AddButton } from './add/add-button.tsx';
import { columnsOf, FAVOURITES, GROUPS } from './arrangement.ts';
import { CategoryRow } from './category-row.tsx';
import { FavouriteScenes } from './favourite-scenes.tsx';
import classes from './home.module.css';
import { DuePlace, HomeLead } from './home-lead.tsx';
import { useProgress } from './progressive.ts';
import { HomeRoom } from './room-section.tsx';
import { SearchButton } from './search-button.tsx';
import { favouriteThings, floorsOf, groupSection, sectionsOf, shownSections } from './sections.ts';
import { SelectionHost } from './selection-host.tsx';
import { SummaryLine } from './summary-line.tsx';
import { TileGrid } from './tile-grid.tsx';
import { useArrangement } from './use-arrangement.ts';
import { useRoomMove } from './use-room-move.ts';

const Backdrop = lazy(async () => ({ default: (await import('./backdrop/backdrop.tsx')).Backdrop }));
const EditHome = lazy(async () => ({ default: (await import('./edit/edit-home.tsx')).EditHome }));

export function HomePage() {
  const t = useTexts(homeTexts);
  const { id, name, accessories, background, pictureHash } = useHome();
  const keptAt = useKeptAt();
  const roomMove = useRoomMove();
  const [isEditing, setEditing] = useState(false);
  if (accessories.length === 0) return <EmptyHome />;
  if (isEditing) {
    return (
      <Suspense fallback={<Loading />}>
        <EditHome onDone={() => setEditing(false)} />
      </Suspense>
    );
  }
  const actions = (
    <>
      <SearchButton />
      <AddButton />
      <button
        type="button"
        className={classes.tool}
        data-short
        title={t.editHome}
        disabled={keptAt !== undefined}
        onClick={() => setEditing(true)}
      >
        <Pencil aria-hidden />
        <span>{t.editHome}</span>
      </button>
    </>
  );
  return (
    <Page
      title={name}
      lead={keptAt === undefined ? <HomeLead /> : <KeptLead at={keptAt} />}
      actions={kioskNow() ? undefined : actions}
      isWide
    >
      {(background || pictureHash) && (
        <Suspense>
          <Backdrop homeId={id} hash={pictureHash} background={background} />
        </Suspense>
      )}
      <SummaryLine />
      <CategoryRow />
      <FavouriteScenes />
      <div className={classes.frame}>
        <div className={classes.rooms} {...(kioskNow() ? {} : roomMove)}>
          <Favourites />
          <Groups />
          <Rooms />
        </div>
      </div>
      <SelectionHost />
    </Page>
  );
}

/** In the place of what is known now only. */
function KeptLead({ at }: { readonly at: number }) {
  const t = useTexts(homeTexts);
  const format = useFormat();
  const { id: homeId } = useHome();
  return (
    <span className={classes.lead}>
      <span role="status">{t.asOf({ time: format.recent(at) })}</span>
      <DuePlace homeId={homeId} />
    </span>
  );
}

function Rooms() {
  const t = useTexts(homeTexts);
  const inventory = useHome();
  const { compare } = useFormat();
  const [arrangement] = useArrangement();
  const sections = useMemo(
    () => shownSections(sectionsOf(inventory, arrangement, compare), arrangement),
    [inventory, arrangement, compare],
  );
  const floors = useMemo(() => floorsOf(sections, inventory.zones), [sections, inventory.zones]);
  const count = useProgress(sections.length);
  if (sections.length === 0) return <EmptyState title={t.allHidden}>{t.allHiddenText}</EmptyState>;
  const shown = new Set(floors.flatMap((floor) => floor.sections).slice(0, count));
  const hasZones = floors.some(({ zone }) => zone !== undefined);
  return floors.map(({ zone, sections: rooms }) => (
    <Fragment key={zone?.id ?? ''}>
      {hasZones && rooms.some((section) => shown.has(section)) && (
        <h2 className={`h-plate ${classes.floor}`}>{zone?.name ?? t.otherRooms}</h2>
      )}
      {rooms
        .filter((section) => shown.has(section))
        .map((section) => (
          <HomeRoom
            key={section.room.id}
            section={section}
            columns={columnsOf(arrangement, section.things)}
            isInFloor={hasZones}
          />
        ))}
    </Fragment>
  ));
}

function Favourites() {
  const t = useTexts(homeTexts);
  const inventory = useHome();
  const [arrangement] = useArrangement();
  const things = useMemo(() => favouriteThings(inventory, arrangement), [inventory, arrangement]);
  if (things.length === 0) return null;
  const style = { '--tiles': columnsOf(arrangement, things) } as CSSProperties;
  return (
    <section className={classes.room} aria-labelledby="favourites" style={style}>
      <h2 className={`h-plate ${classes.roomTitle}`} id="favourites">
        {t.favourites}
      </h2>
      <TileGrid things={things} label={t.favourites} grid={FAVOURITES} />
    </section>
  );
}

/** Service groups whose members are in several rooms. */
function Groups() {
  const t = useTexts(homeTexts);
  const inventory = useHome();
  const { compare } = useFormat();
  const [arrangement] = useArrangement();
  const [section] = useMemo(
    () => shownSections([groupSection(inventory, arrangement, compare)], arrangement),
    [inventory, arrangement, compare],
  );
  if (!section) return null;
  const style = { '--tiles': columnsOf(arrangement, section.things) } as CSSProperties;
  return (
    <section className={classes.room} aria-labelledby="groups" style={style}>
      <h2 className={`h-plate ${classes.roomTitle}`} id="groups">
        {t.groups}
      </h2>
      <TileGrid things={section.things} label={t.groups} grid={GROUPS} />
    </section>
  );
}

function EmptyHome() {
  const t = useTexts(homeTexts);
  const { name } = useHome();
  const { canManage } = useRights();
  const action = (
    <Button component={Link} href="/pair" leftSection={<Plus size={20} aria-hidden />}>
      {t.emptyAction}
    </Button>
  );
  return (
    <Page title={name} actions={kioskNow() ? undefined : <AddButton />}>
      <EmptyState icon={<House size={32} />} title={t.emptyTitle} action={canManage && action}>
        {canManage ? t.emptyText : t.emptyViewer}
      </EmptyState>
    </Page>
  );
}
