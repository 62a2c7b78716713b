import { useEffect } from 'react';
import { useConnection } from '../api/connection.ts';
import { Icon } from '../components/icon.tsx';
import { formatClock } from '../format/time.ts';
import classes from './connection-bar.module.css';

/** Shown on every page while the server is unreachable, with the age of the data. */
export function ConnectionBar() {
  const { lost, lastResponseAt } = useConnection();
  useEffect(() => {
    // Sticky elements move down; see styles.css.
    document.documentElement.toggleAttribute('data-connection-lost', lost);
  }, [lost]);
  return (
    <div role="status" className={classes.region}>
      {lost && (
        <div className={classes.bar}>
          <Icon name="warning" />
          <span>
            {lastResponseAt === null
              ? 'Connection lost. Reconnecting…'
              : `Connection lost. Data from ${formatClock(lastResponseAt, Date.now())}`}
          </span>
        </div>
      )}
    </div>
  );
}
