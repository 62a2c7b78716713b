import { type ReactNode, useEffect } from 'react';
import { Brand } from '../../components/brand.tsx';
import classes from './entry-layout.module.css';

interface EntryLayoutProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly footer: ReactNode;
}

/** The frame of the pages before sign-in. */
export function EntryLayout({ title, children, footer }: EntryLayoutProps) {
  useEffect(() => {
    document.title = `${title} · Guarded Runs`;
  }, [title]);
  return (
    <main className={classes.page}>
      <div className={classes.column}>
        <Brand />
        <div className={classes.card}>
          <h1 className={classes.title}>{title}</h1>
          {children}
        </div>
        <p className={classes.footer}>{footer}</p>
      </div>
    </main>
  );
}
