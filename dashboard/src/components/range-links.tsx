import { RANGES, type Range, rangeHref } from '../format/range.ts';
import { FilterLinks } from './filter-links.tsx';
import { useSearchParameters } from './use-search-parameters.ts';

/** Chooses how many days the page at `path` shows. */
export function RangeLinks({ path, range }: { path: string; range: Range }) {
  const [parameters] = useSearchParameters();
  return (
    <FilterLinks
      label="Period"
      options={RANGES.map((days) => ({
        label: `${days} days`,
        href: rangeHref(path, parameters, days),
        current: days === range,
      }))}
    />
  );
}
