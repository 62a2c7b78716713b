import { Link } from 'wouter';
import classes from './filter-links.module.css';

interface FilterLinksProps {
  readonly label: string;
  readonly options: readonly { readonly label: string; readonly href: string; readonly current: boolean }[];
}

/** A filter whose options are links, so that each one can be bookmarked and works with the back button. */
export function FilterLinks({ label, options }: FilterLinksProps) {
  return (
    <nav aria-label={label} className={classes.links}>
      {options.map((option) => (
        <Link
          key={option.label}
          href={option.href}
          className={classes.link}
          aria-current={option.current ? 'true' : undefined}
        >
          {option.label}
        </Link>
      ))}
    </nav>
  );
}
