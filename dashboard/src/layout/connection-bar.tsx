import { useEffect } from 'react';
import { useConnection } from '../api/connection.ts';
import { Icon } from '../components/icon.tsx';
import { formatClock } from '../format/time.ts';
import classes from './connection-bar.module.css';

/** On top of every page while the server does not answer: how old everything below is. */
export function ConnectionBar() {
  const { lost, lastAnswerAt } = useConnection();
  useEffect(() => {
    // What sticks to the top of the window makes room; see styles.css.
    document.documentElement.toggleAttribute('data-connection-lost', lost);
  }, [lost]);
  return (
    <div role="status" className={classes.region}>
      {lost && (
        <div className={classes.bar}>
          <Icon name="warning" />
          <span>
            {lastAnswerAt === null
              ? 'Connection lost. Trying again.'
              : `Connection lost. Data from ${formatClock(lastAnswerAt, Date.now())}`}
          </span>
        </div>
      )}
    </div>
  );
}
