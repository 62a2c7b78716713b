/** Colours, type and shape. Normal states are quiet; colour is kept for what needs a person. */

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

/** Neutral with a trace of green, so that surfaces and accent belong together. */
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

export const theme = createTheme({
  primaryColor: 'pine',
  primaryShade: { light: 8, dark: 7 },
  colors: { pine, gray, dark },
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
    TextInput: { defaultProps: { size: 'md' } },
    PasswordInput: { defaultProps: { size: 'md' } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 'lg',
        padding: 'lg',
        overlayProps: { backgroundOpacity: 0.45 },
      },
    },
    Tooltip: { defaultProps: { openDelay: 250 } },
  },
});
