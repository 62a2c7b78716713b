import type { ReactNode } from 'react';
import type { IconName } from '../components/icon.tsx';
import type { Need } from '../session/rights.ts';
import { SetupNote } from './setup-note.tsx';

export interface PageLink {
  readonly href: string;
  readonly label: string;
  readonly icon: IconName;
  /** Only for members who may. */
  readonly needs?: Need;
  /** After the label. */
  readonly Note?: () => ReactNode;
}

/** The pages of the navigation and of the search. */
export const PAGES: readonly PageLink[] = [
  { href: '/', label: 'Overview', icon: 'overview' },
  { href: '/runs', label: 'Runs', icon: 'runs' },
  { href: '/users', label: 'Users', icon: 'users' },
  { href: '/models', label: 'Models', icon: 'models' },
  { href: '/guardrails', label: 'Guardrails', icon: 'guardrails' },
  { href: '/prices', label: 'Prices', icon: 'prices' },
  { href: '/activity', label: 'Activity', icon: 'activity', needs: 'audit' },
  { href: '/settings', label: 'Settings', icon: 'settings' },
  { href: '/setup', label: 'Set up', icon: 'setup', Note: SetupNote },
];
