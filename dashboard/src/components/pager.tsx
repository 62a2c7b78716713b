import { Link } from 'wouter';
import { formatCount } from '../format/count.ts';
import { Icon } from './icon.tsx';
import { focusPageHeading } from './page-header.tsx';
import classes from './pager.module.css';

interface PagerProps {
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  /** Such a total means that there may be more. */
  readonly countedUpTo?: number | undefined;
  /** What the pages before and after this one have; by default, lists begin with the newest. */
  readonly directions?: readonly [previous: string, next: string];
  readonly hrefOf: (page: number) => string;
}

const BY_TIME = ['Newer', 'Older'] as const;

/** The links are below the list, and the other page begins at the top. Keyboard and screen reader users continue there, too. */
function continueAtTop(): void {
  focusPageHeading();
  window.scrollTo(0, 0);
}

export function Pager(props: PagerProps) {
  const { page, perPage, total, countedUpTo, directions = BY_TIME, hrefOf } = props;
  if (total === 0) return null;
  const pages = Math.ceil(total / perPage);
  const first = Math.min((page - 1) * perPage + 1, total);
  const last = Math.min(page * perPage, total);
  return (
    <nav className={classes.pager} aria-label="Pages of the list">
      <span className={classes.range}>
        {formatCount(first)}–{formatCount(last)} of {formatCount(total)}
        {total === countedUpTo && '+'}
      </span>
      <span className={classes.links}>
        {page > 1 ? (
          <Link href={hrefOf(Math.min(page - 1, pages))} className={classes.link} onClick={continueAtTop}>
            <Icon name="chevronLeft" size={16} /> {directions[0]}
          </Link>
        ) : null}
        {page < pages ? (
          <Link href={hrefOf(page + 1)} className={classes.link} onClick={continueAtTop}>
            {directions[1]} <Icon name="chevronRight" size={16} />
          </Link>
        ) : null}
      </span>
    </nav>
  );
}
