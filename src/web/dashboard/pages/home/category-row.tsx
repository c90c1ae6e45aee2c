/** A chip for each category that the home has: what is to know of it, and the way to all of its accessories. */

import homeTexts from 'texts:home';
import { Lightbulb, LockKeyhole, type LucideIcon, Thermometer, Tv, Waves } from 'lucide-react';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { useHome, useKeptAt, useRights } from '../../home/use-home.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { CATEGORIES, type Category, DERIVE_FACTS, isInCategory, isSameFacts } from './categories.ts';
import { factText } from './category-words.ts';
import classes from './home.module.css';
import { turnLamps } from './summary-line.tsx';
import { useWatched } from './watch-accessories.ts';

const ICONS: Readonly<Record<Category, LucideIcon>> = {
  climate: Thermometer,
  lights: Lightbulb,
  security: LockKeyhole,
  media: Tv,
  water: Waves,
};

export function CategoryRow() {
  const t = useTexts(homeTexts);
  const { accessories } = useHome();
  const members = useMemo(
    () =>
      CATEGORIES.map((category) => ({
        category,
        ids: accessories.filter((accessory) => isInCategory(category, accessory)).map(({ id }) => id),
      })).filter(({ ids }) => ids.length > 0),
    [accessories],
  );
  if (members.length === 0) return null;
  return (
    <nav aria-label={t.categoriesLabel}>
      <ul className={classes.categories}>
        {members.map(({ category, ids }) => (
          <li key={category}>
            <CategoryChip category={category} ids={ids} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface CategoryChipProps {
  readonly category: Category;
  readonly ids: readonly string[];
}

/** Lights that are on can be turned off at once, beside the way to them. */
function CategoryChip({ category, ids }: CategoryChipProps) {
  const t = useTexts(homeTexts);
  const format = useFormat();
  const { canControl } = useRights();
  const isOld = useKeptAt() !== undefined;
  const [first] = useWatched(ids, DERIVE_FACTS[category], isSameFacts);
  const Icon = ICONS[category];
  const isLit = category === 'lights' && first?.kind === 'on';
  const content = (
    <>
      <Icon aria-hidden />
      <span>
        <strong>{t.categories[category]}</strong>
        {first && <span className={classes.fact}> {factText(first, t, format)}</span>}
      </span>
    </>
  );
  const href = `/categories/${category}`;
  if (!isLit || !canControl) {
    return (
      <Link href={href} className={classes.chip ?? ''} data-tone={isLit ? 'on' : undefined}>
        {content}
      </Link>
    );
  }
  return (
    <span className={classes.chip} data-tone="on" data-split>
      <Link href={href} className={classes.half ?? ''}>
        {content}
      </Link>
      <button type="button" className={classes.half} disabled={isOld} onClick={() => turnLamps(ids, false)}>
        <strong>{t.allLightsOff}</strong>
      </button>
    </span>
  );
}
