/**
 * The Mantine theme of hearthd: its own colours, larger touch targets, and more contrast than Mantine's defaults (WCAG
 * 2.2 AA requires 4.5 : 1). Everything else takes its colours from `tokens.css`.
 */
import { createTheme, type MantineColorsTuple } from '@mantine/core';
import { numberFormat } from '../../../texts/intl.ts';
import { languageNow, localeOf } from '../texts/language.ts';

const ember: MantineColorsTuple = [
  ...(['#fff3ea', '#fde3d1', '#f9c4a2', '#f4a26f', '#ee8444', '#e56f27'] as const),
  ...(['#c8551a', '#a84612', '#87370c', '#672908'] as const),
];

/** Mantine's greys are bluish; these are the warm ones of `tokens.css`. */
const gray: MantineColorsTuple = [
  ...(['#f9f7f4', '#f2efea', '#ece7e0', '#ddd6cc', '#cbc3b7', '#aea597'] as const),
  ...(['#8d8477', '#615a50', '#3f3932', '#1f1b16'] as const),
];

const dark: MantineColorsTuple = [
  ...(['#f3eee7', '#d8d0c5', '#b5aca0', '#8f8679', '#4a443c', '#3a352e'] as const),
  ...(['#2d2924', '#211e1a', '#14120f', '#0c0b09'] as const),
];

/** Sized for touch; `mantine.css` defines the sizes. */
const FINGER_SIZED = { defaultProps: { size: 'md' } };

/** What stands before the decimals: `21.5`, in German `21,5`. Both can be typed. */
function decimalSeparator(): string {
  return numberFormat(localeOf(languageNow()), {}).format(0.1).charAt(1);
}

export const theme = createTheme({
  colors: { ember, gray, dark },
  primaryColor: 'ember',
  // White on it has a contrast of 4.9 : 1, and it has 5.5 : 1 on the dark background.
  primaryShade: { light: 7, dark: 7 },
  autoContrast: true,
  defaultRadius: 'md',
  components: {
    Button: FINGER_SIZED,
    Checkbox: FINGER_SIZED,
    Input: FINGER_SIZED,
    InputWrapper: FINGER_SIZED,
    // Part of the page's content, with the focus on the first item.
    Menu: {
      defaultProps: { portalProps: { target: '#content' }, withInitialFocusPlaceholder: false, menuItemTabIndex: 0 },
    },
    MultiSelect: FINGER_SIZED,
    NativeSelect: FINGER_SIZED,
    NumberInput: { defaultProps: () => ({ ...FINGER_SIZED.defaultProps, decimalSeparator: decimalSeparator() }) },
    PasswordInput: FINGER_SIZED,
    Radio: FINGER_SIZED,
    SegmentedControl: FINGER_SIZED,
    Select: FINGER_SIZED,
    Switch: { defaultProps: { ...FINGER_SIZED.defaultProps, withThumbIndicator: false } },
    // It has the size, weight and line height of what is around it.
    Text: { defaultProps: { inherit: true } },
    TextInput: FINGER_SIZED,
    Textarea: FINGER_SIZED,
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace',
  headings: { fontWeight: '650', textWrap: 'balance' },
});
