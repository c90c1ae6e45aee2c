/** The line below the name of the home: who is at home, in which mode it is, and its climate. */

import homeTexts from 'texts:home';
import { useMemo } from 'react';
import { graphql, present } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { serviceOf, textOf } from '../../devices/reading.ts';
import type { HomeAccessory } from '../../home/home-document.ts';
import { useHome } from '../../home/use-home.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { summarize } from './facts.ts';
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
  return <span>{parts.join(' · ') || ' '}</span>;
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
