import { Link } from 'wouter';
import classes from './filter-links.module.css';

interface FilterLinksProps {
  readonly label: string;
  readonly options: readonly { readonly label: string; readonly href: string; readonly current: boolean }[];
}

/** A filter whose choices are addresses, so that each one can be opened, shared and gone back from. */
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
