import { NativeSelect } from '@mantine/core';
import { useLocation } from 'wouter';
import type { RunDenial } from '../../api/queries.ts';
import { DayInput } from '../../components/day-input.tsx';
import { FilterInput } from '../../components/filter-input.tsx';
import { DENY_REASONS, denialOf } from '../../format/guardrails.ts';
import { metadataIn, type RunListAddress, toHref } from './run-filter.ts';
import classes from './run-filters.module.css';

/** Everything but the status. */
export function RunFilters({ address }: { address: RunListAddress }) {
  const [, navigate] = useLocation();
  const filter = (changed: Partial<RunListAddress>) => navigate(toHref({ ...address, ...changed, page: 1 }));
  return (
    <div className={classes.bar}>
      <FilterInput
        className={classes.field}
        key={`user ${address.userId}`}
        label="User"
        placeholder="Exact user ID"
        maxLength={255}
        applied={address.userId}
        toFilter={(text) => text.trim() || null}
        onApply={(userId) => filter({ userId })}
      />
      <NativeSelect
        className={classes.field ?? ''}
        label="Denied"
        value={address.denial ?? ''}
        onChange={({ currentTarget: { value } }) =>
          filter({ denial: value === '' ? null : (value as RunDenial) })
        }
        data={[
          { value: '', label: 'Any' },
          { value: 'STEPS', label: 'Has denied steps' },
          ...DENY_REASONS.map((reason) => ({ value: reason, label: denialOf(reason).label })),
        ]}
      />
      <DayInput
        className={classes.day}
        label="From (UTC)"
        day={address.from}
        onChange={(from) => filter({ from })}
      />
      <DayInput className={classes.day} label="To (UTC)" day={address.to} onChange={(to) => filter({ to })} />
      <FilterInput
        className={classes.field}
        key={`metadata ${address.metadata}`}
        label="Metadata"
        placeholder="name=value"
        maxLength={321}
        applied={address.metadata}
        toFilter={metadataIn}
        onApply={(metadata) => filter({ metadata })}
      />
    </div>
  );
}
