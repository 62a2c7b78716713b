/** The layout of all pages after sign-in: navigation, kill switch banner and content. */

import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { workspaceQuery } from '../api/queries.ts';
import { Brand } from '../components/brand.tsx';
import { Icon } from '../components/icon.tsx';
import { PageSkeleton } from '../components/page-skeleton.tsx';
import { ErrorBoundary } from '../loading/error-boundary.tsx';
import { ErrorPage } from '../loading/error-page.tsx';
import classes from './app-layout.module.css';
import { Navigation } from './navigation.tsx';

export function AppLayout({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  const [menuOpened, setMenuOpened] = useState(false);
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
        <Navigation />
      </aside>
      <header className={classes.topbar}>
        <Link href="/" className={classes.brand}>
          <Brand />
        </Link>
        <button
          type="button"
          className={classes.menuButton}
          aria-label="Open menu"
          onClick={() => setMenuOpened(true)}
        >
          <Icon name="menu" size={22} />
        </button>
      </header>
      <Drawer
        opened={menuOpened}
        onClose={() => setMenuOpened(false)}
        size={288}
        title={<Brand />}
        closeButtonProps={{ 'aria-label': 'Close menu' }}
        classNames={{
          body: classes.drawerBody ?? '',
          content: classes.drawerContent ?? '',
          header: classes.drawerHeader ?? '',
        }}
      >
        <Navigation />
      </Drawer>
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
