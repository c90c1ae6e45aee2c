import type { Command } from 'commander';
import type { Cli } from '../action.ts';
import { roomSetCommand } from './room-sets.ts';

/** `hearthd zone …`: parts of a home, such as a floor. */
export function zoneCommand(cli: Cli): Command {
  return roomSetCommand(cli, {
    word: 'zone',
    title: 'zone',
    path: '/rest/zones',
    meaning: 'parts of a home, such as a floor',
    example: 'Upstairs',
  });
}
