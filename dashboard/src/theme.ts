/** Colours, typography and shapes. Strong colours are reserved for states that need attention. */

import { createTheme, type MantineColorsTuple } from '@mantine/core';

const pine: MantineColorsTuple = [
  '#ebf6f3',
  '#d5ebe5',
  '#abd7cb',
  '#7fc3b0',
  '#58b099',
  '#3a9e87',
  '#238d77',
  '#158070',
  '#0b6e63',
  '#07534b',
];

/** Tinted green to match the accent colour. */
const gray: MantineColorsTuple = [
  '#f6f8f7',
  '#eef1ef',
  '#e3e7e5',
  '#d3d9d6',
  '#bcc4c0',
  '#8f9994',
  '#5d6762',
  '#46504b',
  '#2f3734',
  '#1b211f',
];

const dark: MantineColorsTuple = [
  '#e4e9e6',
  '#c3cac6',
  '#97a19c',
  '#747e79',
  '#48514d',
  '#343b38',
  '#272d2b',
  '#1b201e',
  '#141817',
  '#0d100f',
];

/** For destructive actions. Dark enough for white text. */
const red: MantineColorsTuple = [
  '#fdf1ef',
  '#f9dedb',
  '#f0b9b4',
  '#e6928b',
  '#de7068',
  '#d9574d',
  '#cb3a31',
  '#b9362d',
  '#a8261d',
  '#861b14',
];

const DIALOG_TITLE = { fontSize: '1rem', fontWeight: 620, overflowWrap: 'anywhere' } as const;

export const theme = createTheme({
  primaryColor: 'pine',
  primaryShade: { light: 8, dark: 7 },
  colors: { pine, gray, dark, red },
  black: '#161b19',
  fontFamily: "'Inter Variable', ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace:
    "ui-monospace, 'SF Mono', 'Cascadia Code', 'JetBrains Mono', Menlo, Consolas, 'Liberation Mono', monospace",
  headings: { fontWeight: '620' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  components: {
    Input: { styles: { input: { fontSize: 'var(--mantine-font-size-md)' } } },
    InputWrapper: {
      styles: {
        label: { marginBottom: 4, fontWeight: 560 },
        description: { marginBottom: 6, fontSize: 'var(--mantine-font-size-sm)' },
        error: { fontSize: 'var(--mantine-font-size-sm)' },
      },
    },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 'lg',
        padding: 'lg',
        overlayProps: { backgroundOpacity: 0.45 },
      },
      styles: { title: DIALOG_TITLE },
    },
    Drawer: {
      defaultProps: { padding: 'lg', overlayProps: { backgroundOpacity: 0.3 } },
      styles: {
        title: DIALOG_TITLE,
        // Keeps the close button below the connection bar.
        inner: { top: 'var(--bar-height)' },
        content: { maxHeight: 'calc(100dvh - var(--bar-height))' },
      },
    },
  },
});
