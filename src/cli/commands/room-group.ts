import type { Command } from 'commander';
import type { Cli } from '../action.ts';
import { roomSetCommand } from './room-sets.ts';

/** `hearthd room-group …`: rooms that you share together. */
export function roomGroupCommand(cli: Cli): Command {
  return roomSetCommand(cli, {
    word: 'room-group',
    title: 'room group',
    path: '/rest/room-groups',
    meaning: 'rooms that you share together',
    example: 'Guests',
  });
}
