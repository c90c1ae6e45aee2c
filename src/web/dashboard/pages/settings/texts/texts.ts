import { defineTexts } from '../../../texts/texts.ts';
import { de } from './de.ts';
import { en } from './en.ts';

export const settingsTexts = defineTexts({ en, de });
