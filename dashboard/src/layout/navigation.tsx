import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { meQuery, workspaceQuery } from '../api/queries.ts';
import { Icon } from '../components/icon.tsx';
import { isAllowed } from '../session/rights.ts';
import { session } from '../session/session.ts';
import { ColorSchemeControl } from './color-scheme-control.tsx';
import classes from './navigation.module.css';
import { PAGES } from './pages.ts';
import { SearchButton } from './search-button.tsx';

export function Navigation({ onSearch }: { onSearch: () => void }) {
  const [path] = useLocation();
  const { data: workspace } = useQuery(workspaceQuery);
  const { data: me } = useQuery(meQuery);
  return (
    <>
      <SearchButton onClick={onSearch} />
      <nav aria-label="Pages" className={classes.pages}>
        {PAGES.filter(({ needs }) => needs === undefined || isAllowed(me?.role ?? null, needs)).map(
          ({ href, label, icon, Note }) => (
            <Link
              key={href}
              href={href}
              className={classes.page}
              aria-current={isCurrent(href, path) ? 'page' : undefined}
            >
              <Icon name={icon} />
              {label}
              {Note !== undefined && <Note />}
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
