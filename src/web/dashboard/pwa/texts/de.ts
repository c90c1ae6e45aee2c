import type { TextsLike } from '../../texts/texts.ts';
import type { en } from './en.ts';

export const de: TextsLike<typeof en> = {
  newVersion: 'Eine neue Version der Oberfläche ist bereit.',
  reload: 'Neu laden',
};
