import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { meQuery, workspaceQuery } from '../api/queries.ts';
import { Icon, type IconName } from '../components/icon.tsx';
import { isAllowed, type Need } from '../session/rights.ts';
import { session } from '../session/session.ts';
import { ColorSchemeControl } from './color-scheme-control.tsx';
import classes from './navigation.module.css';

interface PageLink {
  readonly href: string;
  readonly label: string;
  readonly icon: IconName;
  /** Only for members who may. */
  readonly needs?: Need;
}

const PAGES: readonly PageLink[] = [
  { href: '/', label: 'Overview', icon: 'overview' },
  { href: '/runs', label: 'Runs', icon: 'runs' },
  { href: '/users', label: 'Users', icon: 'users' },
  { href: '/guardrails', label: 'Guardrails', icon: 'guardrails' },
  { href: '/prices', label: 'Prices', icon: 'prices' },
  { href: '/activity', label: 'Activity', icon: 'activity', needs: 'audit' },
  { href: '/settings', label: 'Settings', icon: 'settings' },
];

export function Navigation() {
  const [path] = useLocation();
  const { data: workspace } = useQuery(workspaceQuery);
  const { data: me } = useQuery(meQuery);
  return (
    <>
      <nav aria-label="Pages" className={classes.pages}>
        {PAGES.filter(({ needs }) => needs === undefined || isAllowed(me?.role ?? null, needs)).map(
          ({ href, label, icon }) => (
            <Link
              key={href}
              href={href}
              className={classes.page}
              aria-current={isCurrent(href, path) ? 'page' : undefined}
            >
              <Icon name={icon} />
              {label}
            </Link>
          ),
        )}
      </nav>
      <div className={classes.foot}>
        <a className={classes.page} href="/docs">
          <Icon name="docs" />
          API reference
        </a>
        <ColorSchemeControl />
        <div className={classes.account}>
          <div className={classes.who}>
            <span className={classes.workspace}>{workspace?.name ?? ' '}</span>
            <span className={classes.email}>{me?.email ?? ' '}</span>
          </div>
          <button
            type="button"
            className={classes.signOut}
            aria-label="Sign out"
            title="Sign out"
            onClick={() => session.signOut()}
          >
            <Icon name="signOut" />
          </button>
        </div>
      </div>
    </>
  );
}

function isCurrent(href: string, path: string): boolean {
  return href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`);
}
