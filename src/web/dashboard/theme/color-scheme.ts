/** Light or dark: what the person chose, else as the system has it. Mantine keeps the choice under this key. */
import { localStorageColorSchemeManager } from '@mantine/core';

export const colorSchemeKey = 'hearthd.color-scheme';

export const colorSchemeManager = localStorageColorSchemeManager({ key: colorSchemeKey });
