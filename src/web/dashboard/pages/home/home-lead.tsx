/** The line below the name of the home: who is at home, in which mode it is, its climate, and what is due next. */

import homeTexts from 'texts:home';
import { AlarmClock } from 'lucide-react';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { graphql, present } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { serviceOf, textOf } from '../../devices/reading.ts';
import type { HomeAccessory } from '../../home/home-document.ts';
import { useHome } from '../../home/use-home.ts';
import { kioskNow } from '../../shell/kiosk/kiosk.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { summarize } from './facts.ts';
import classes from './home.module.css';
import { hadDue, useNextDue } from './next-due.ts';
import { useWatched } from './watch-accessories.ts';

const AtHomeQuery = graphql(`
  query PeopleAtHome($homeId: String!) {
    people(homeId: $homeId) {
      id
      name
      atHome
    }
  }
`);

/** More have no place on a phone. */
const MAX_FACES = 4;
const DAY_MS = 86_400_000;

export function HomeLead() {
  const t = useTexts(homeTexts);
  const format = useFormat();
  const { id: homeId, accessories } = useHome();
  const people = useApiQuery(AtHomeQuery, { homeId }, { subjects: ['people'] });
  const ids = useMemo(() => accessories.map(({ id }) => id), [accessories]);
  const { mode, temperature, humidity } = useWatched(ids, outline, isSameOutline);
  const known = present(people.data?.people).filter(({ atHome }) => atHome !== null);
  const atHome = known.filter((person) => person.atHome).map(({ name }) => name);
  const parts = [
    known.length > 0 && (atHome.length > 0 ? t.atHome({ names: format.list(atHome) }) : t.awayAll),
    mode,
    temperature !== undefined && format.temperature(temperature),
    humidity !== undefined && format.percent(humidity),
  ].filter(Boolean);
  // It keeps its place, so that nothing moves when the answer comes.
  return (
    <span className={classes.lead}>
      <span className={classes.leadParts}>
        {atHome.length > 0 && (
          <span className={classes.faces}>
            {atHome.slice(0, MAX_FACES).map((name) => (
              <Avatar key={name} name={name} isSmall />
            ))}
          </span>
        )}
        <span>{parts.join(' · ') || '\u00a0'}</span>
      </span>
      <NextDue homeId={homeId} />
    </span>
  );
}

/** The next automation that goes by the clock or the sun. A tablet at the wall has no way back from its page. */
function NextDue({ homeId }: { readonly homeId: string }) {
  const t = useTexts(homeTexts);
  const format = useFormat();
  const next = useNextDue(homeId);
  if (next === undefined) return <DuePlace homeId={homeId} />;
  if (next === null) return null;
  const { id, kind, name, at } = next;
  // Within a day, the time alone is clear.
  const isSoon = Date.parse(at) - Date.now() < DAY_MS;
  const text = t.nextDue({ name, time: isSoon ? format.time(at) : format.soon(at) });
  const content = (
    <>
      <AlarmClock aria-hidden />
      <span>{text}</span>
    </>
  );
  if (kioskNow()) return <span className={classes.due}>{content}</span>;
  return (
    <Link href={`/automations/${kind}/${id}`} className={classes.due ?? ''} title={text}>
      {content}
    </Link>
  );
}

/** Its place, where it was shown last on this device: on phones it is a line of its own, and moves nothing below. */
export function DuePlace({ homeId }: { readonly homeId: string }) {
  if (!hadDue(homeId)) return null;
  return (
    <span className={classes.due} aria-hidden>
      <span>{'\u00a0'}</span>
    </span>
  );
}

interface Outline {
  readonly mode: string | undefined;
  readonly temperature: number | undefined;
  readonly humidity: number | undefined;
}

/** The mode is the value of the first virtual mode, by name. */
function outline(accessories: readonly HomeAccessory[]): Outline {
  const { temperature, humidity } = summarize(accessories);
  const modes = accessories
    .filter(({ virtualType, isReachable }) => virtualType === 'input_select' && isReachable)
    .toSorted((a, b) => a.name.localeCompare(b.name));
  const value = modes[0] && textOf(serviceOf(modes[0], 'virtual_mode'), 'virtual_mode');
  return {
    mode: modes[0] && value ? `${modes[0].name}: ${value}` : undefined,
    temperature: temperature === undefined ? undefined : Math.round(temperature * 2) / 2,
    humidity: humidity === undefined ? undefined : Math.round(humidity),
  };
}

function isSameOutline(a: Outline, b: Outline): boolean {
  return a.mode === b.mode && a.temperature === b.temperature && a.humidity === b.humidity;
}
