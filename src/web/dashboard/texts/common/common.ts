/** Texts that every page uses. */
import { defineTexts } from '../texts.ts';
import { de } from './de.ts';
import { en } from './en.ts';

export const commonTexts = defineTexts({ en, de });
