/** The layout of all pages after sign-in: navigation, kill switch banner and content. */

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { workspaceQuery } from '../api/queries.ts';
import { Brand } from '../components/brand.tsx';
import { Icon } from '../components/icon.tsx';
import { PageSkeleton } from '../components/page-skeleton.tsx';
import { ErrorBoundary } from '../loading/error-boundary.tsx';
import { ErrorPage } from '../loading/error-page.tsx';
import { lazyLoad } from '../loading/lazy-load.ts';
import classes from './app-layout.module.css';
import { Navigation } from './navigation.tsx';
import { useSearch } from './use-search.ts';

/** Only narrow pages have a menu. */
const MenuDrawer = lazyLoad(() => import('./menu-drawer.tsx'), 'MenuDrawer');
/** Loaded when it is opened first. */
const SearchDialog = lazyLoad(() => import('./search-dialog.tsx'), 'SearchDialog');

export function AppLayout({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  const [menuRequested, setMenuRequested] = useState(false);
  const [menuOpened, setMenuOpened] = useState(false);
  const search = useSearch(() => setMenuOpened(false));
  const main = useRef<HTMLElement>(null);
  const lastPath = useRef(path);
  useEffect(() => {
    if (lastPath.current === path) return;
    lastPath.current = path;
    setMenuOpened(false);
    // With a hash, the panel that it names scrolls into view: before this effect if the page is loaded.
    if (window.location.hash === '') window.scrollTo(0, 0);
    // Keyboard and screen reader users continue at the new page.
    main.current?.focus({ preventScroll: true });
  }, [path]);

  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#content">
        Skip to content
      </a>
      <aside className={classes.sidebar}>
        <Link href="/" className={classes.brand}>
          <Brand />
        </Link>
        <Navigation onSearch={search.open} />
      </aside>
      <header className={classes.topbar}>
        <Link href="/" className={classes.brand}>
          <Brand />
        </Link>
        <button
          type="button"
          className={classes.menuButton}
          aria-label="Open menu"
          onClick={() => {
            setMenuRequested(true);
            setMenuOpened(true);
          }}
        >
          <Icon name="menu" size={22} />
        </button>
      </header>
      {menuRequested && (
        <Suspense fallback={null}>
          <MenuDrawer opened={menuOpened} onClose={() => setMenuOpened(false)} onSearch={search.open} />
        </Suspense>
      )}
      {search.requested && (
        <Suspense fallback={null}>
          <SearchDialog opened={search.opened} onClose={search.close} />
        </Suspense>
      )}
      <div className={classes.column}>
        <KillSwitchBanner />
        <main id="content" ref={main} tabIndex={-1} className={classes.main}>
          <ErrorBoundary attempt={path} fallback={(error) => <ErrorPage error={error} />}>
            <Suspense fallback={<PageSkeleton />}>{children}</Suspense>
          </ErrorBoundary>
        </main>
      </div>
    </div>
  );
}

function KillSwitchBanner() {
  const { data: workspace } = useQuery(workspaceQuery);
  if (workspace?.kill_switch !== true) return null;
  return (
    <div className={classes.banner} role="status">
      <Icon name="stop" />
      <span>
        <strong>The kill switch is on.</strong> All runs and steps are denied.
      </span>
      <Link href="/guardrails">Review</Link>
    </div>
  );
}
