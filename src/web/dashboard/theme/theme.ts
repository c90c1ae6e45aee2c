/**
 * Mantine, set to look like hearthd: its own colours, larger targets, and more contrast than Mantine's defaults have (WCAG 2.2 AA asks
 * for 4.5 : 1). Everything that is not a Mantine component takes its colours from `tokens.css`.
 */
import { createTheme, type MantineColorsTuple } from '@mantine/core';

const ember: MantineColorsTuple = [
  ...(['#fff3ea', '#fde3d1', '#f9c4a2', '#f4a26f', '#ee8444', '#e56f27'] as const),
  ...(['#c8551a', '#a84612', '#87370c', '#672908'] as const),
];

export const theme = createTheme({
  colors: { ember },
  primaryColor: 'ember',
  // White on it has 4.9 : 1, and it has 5.5 : 1 on the dark background.
  primaryShade: { light: 7, dark: 7 },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace',
  headings: { fontWeight: '650', textWrap: 'balance' },
});
