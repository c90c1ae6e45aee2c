import { defineTexts } from '../../texts/texts.ts';
import { de } from './de.ts';
import { en } from './en.ts';

export const searchTexts = defineTexts({ en, de });
