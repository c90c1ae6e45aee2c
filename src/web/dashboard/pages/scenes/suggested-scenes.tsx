/** Scenes to begin with: each opens the editor with what it would set. */
import scenesTexts from 'texts:scenes';
import { SimpleGrid, Text } from '@mantine/core';
import { ChevronRight } from 'lucide-react';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { useHome } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { Section } from '../../ui/page.tsx';
import { useRoomName } from '../rooms/room-name.ts';
import { iconByName } from './scene-icons.ts';
import classes from './scene-lists.module.css';
import { type SceneSuggestion, suggestionsFor } from './scene-suggestions.ts';

/** @param scenes those that the home has */
export function useSuggestions(scenes: readonly { readonly name: string }[]): readonly SceneSuggestion[] {
  const t = useTexts(scenesTexts);
  const home = useHome();
  return useMemo(() => {
    const names = scenes.map(({ name }) => name);
    return suggestionsFor(home, names, (kind) => t.suggestions[kind].name);
  }, [home, scenes, t]);
}

export function SuggestedScenes({ suggestions }: { readonly suggestions: readonly SceneSuggestion[] }) {
  const t = useTexts(scenesTexts);
  const home = useHome();
  const roomName = useRoomName();
  if (suggestions.length === 0) return null;
  return (
    <Section title={t.suggested} lead={t.suggestedText}>
      <SimpleGrid
        component="ul"
        minColWidth="min(100%, 320px)"
        spacing="var(--h-gap)"
        className="h-bare"
        aria-label={t.suggested}
      >
        {suggestions.map(({ kind, roomId }) => {
          const { name, text } = t.suggestions[kind];
          const Icon = iconByName(name);
          const room = home.rooms.find(({ id }) => id === roomId);
          return (
            <li key={kind} className={classes.suggestion}>
              <span className={classes.suggestionIcon}>
                <Icon aria-hidden />
              </span>
              <div>
                <h3 className={classes.name}>
                  <Link href={`/scenes/new?suggestion=${kind}`}>{name}</Link>
                </h3>
                <Text c="dimmed" fz="0.9375rem" className="h-anywhere">
                  {text({ room: room ? roomName(room) : '' })}
                </Text>
              </div>
              <ChevronRight aria-hidden className={classes.suggestionArrow} />
            </li>
          );
        })}
      </SimpleGrid>
    </Section>
  );
}
