/** All accessories of a category by room, those hidden on the home page too, with what is to know of them. */

import homeTexts from 'texts:home';
import selectingTexts from 'texts:selecting';
import { Boxes, ChevronRight, LightbulbOff, ListChecks } from 'lucide-react';
import { type CSSProperties, Suspense, useMemo } from 'react';
import { Link } from 'wouter';
import { useHome, useRights } from '../../home/use-home.ts';
import { kioskNow } from '../../shell/kiosk/kiosk.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { lazyPart } from '../../ui/load-part.ts';
import { EmptyState, Page } from '../../ui/page.tsx';
import { columnsOf } from '../home/arrangement.ts';
import { type Category, DERIVE_FACTS, isCategory, isInCategory, isSameFacts } from '../home/categories.ts';
import { factText } from '../home/category-words.ts';
import homeClasses from '../home/home.module.css';
import { sectionsOf } from '../home/sections.ts';
import { beginSelection, useSelection } from '../home/selection.ts';
import { SelectionHost } from '../home/selection-host.tsx';
import { turnLamps } from '../home/summary-line.tsx';
import { TileGrid } from '../home/tile-grid.tsx';
import { useArrangement } from '../home/use-arrangement.ts';
import { useWatched } from '../home/watch-accessories.ts';
import { useRoomName } from '../rooms/room-name.ts';

const SecurityActivity = lazyPart(() => import('./security-activity.tsx'), 'SecurityActivity');

export function CategoryPage({ category }: { readonly category: string }) {
  const t = useTexts(homeTexts);
  if (isCategory(category)) return <KnownCategory category={category} />;
  return (
    <EmptyState isPage icon={<Boxes size={32} />} title={t.noCategory} action={<ToHome />}>
      {t.noCategoryText}
    </EmptyState>
  );
}

function KnownCategory({ category }: { readonly category: Category }) {
  const t = useTexts(homeTexts);
  const format = useFormat();
  const inventory = useHome();
  const nameOf = useRoomName();
  const [arrangement] = useArrangement();
  const { canControl } = useRights();
  const ids = useMemo(
    () => inventory.accessories.filter((accessory) => isInCategory(category, accessory)).map(({ id }) => id),
    [inventory.accessories, category],
  );
  const sections = useMemo(() => {
    const members = new Set(ids);
    return sectionsOf(inventory, arrangement, format.compare)
      .map(({ room, things }) => ({ room, things: things.filter(({ id }) => members.has(id)) }))
      .filter(({ things }) => things.length > 0);
  }, [inventory, arrangement, format.compare, ids]);
  const facts = useWatched(ids, DERIVE_FACTS[category], isSameFacts);
  const isLit = category === 'lights' && facts.some(({ kind }) => kind === 'on');
  const isSelecting = useSelection() !== undefined;
  const { select } = useTexts(selectingTexts);
  const actions = (
    <>
      {isLit && canControl && (
        <button type="button" className={homeClasses.tool} onClick={() => turnLamps(ids, false)}>
          <LightbulbOff aria-hidden />
          {t.allLightsOff}
        </button>
      )}
      {sections.length > 0 && !isSelecting && (
        <button type="button" className={homeClasses.tool} data-short title={select} onClick={beginSelection}>
          <ListChecks aria-hidden />
          <span>{select}</span>
        </button>
      )}
    </>
  );
  return (
    <Page
      title={t.categories[category]}
      lead={<span role="status">{facts.map((fact) => factText(fact, t, format)).join(' · ') || '\u00a0'}</span>}
      actions={actions}
      above={<ToHome />}
      isWide
    >
      {sections.length === 0 && (
        <EmptyState icon={<Boxes size={32} />} title={t.emptyCategory}>
          {t.emptyCategoryText}
        </EmptyState>
      )}
      <div className={homeClasses.frame}>
        <div className={homeClasses.rooms}>
          {sections.map(({ room, things }) => (
            <section
              key={room.id}
              className={homeClasses.room}
              aria-labelledby={`room-${room.id}`}
              style={{ '--tiles': columnsOf(arrangement, things) } as CSSProperties}
            >
              <h2 className={`${homeClasses.roomHeader} ${homeClasses.roomTitle}`} id={`room-${room.id}`}>
                <Link href={`/rooms/${room.id}`} className={homeClasses.roomLink ?? ''}>
                  <span className="h-lines" title={nameOf(room)}>
                    <span>{nameOf(room)}</span>
                    <ChevronRight aria-hidden />
                  </span>
                </Link>
              </h2>
              <TileGrid things={things} label={nameOf(room)} grid={room.id} isFixed />
            </section>
          ))}
        </div>
      </div>
      {category === 'security' && kioskNow() === undefined && (
        <Suspense>
          <SecurityActivity ids={ids} />
        </Suspense>
      )}
      <SelectionHost />
    </Page>
  );
}

function ToHome() {
  const t = useTexts(homeTexts);
  return <BackLink href="/">{t.toHome}</BackLink>;
}
