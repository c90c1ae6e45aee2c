/** Light or dark: the user's choice, else the system's. Mantine stores the choice under this key. */
import { localStorageColorSchemeManager } from '@mantine/core';

export const colorSchemeKey = 'hearthd.color-scheme';

export const colorSchemeManager = localStorageColorSchemeManager({ key: colorSchemeKey });
