import { CloseButton, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { RunDenial } from '../../api/queries.ts';
import { DayInput } from '../../components/day-input.tsx';
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

interface FilterInputProps {
  readonly label: string;
  readonly placeholder: string;
  readonly maxLength: number;
  readonly applied: string | null;
  /** Null does not filter. */
  readonly toFilter: (text: string) => string | null;
  readonly onApply: (filter: string | null) => void;
}

/** Filters on submit and on blur. Texts match exactly, so filtering on every keystroke would only flicker. */
function FilterInput({ label, placeholder, maxLength, applied, toFilter, onApply }: FilterInputProps) {
  const [text, setText] = useState(applied ?? '');
  useEffect(() => setText(applied ?? ''), [applied]);
  const isIncomplete = text !== '' && toFilter(text) === null;
  const apply = (typed: string) => {
    // A text from a link is not trimmed: it may begin or end with a space.
    if (typed === (applied ?? '')) return;
    const wanted = toFilter(typed);
    if (wanted !== applied && (wanted !== null || typed === '')) onApply(wanted);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    apply(text);
  };
  return (
    <form onSubmit={submit} className={classes.field}>
      <TextInput
        label={label}
        placeholder={placeholder}
        maxLength={maxLength}
        rightSection={
          text !== '' && (
            <CloseButton
              size="sm"
              aria-label={`Clear the ${label.toLowerCase()} filter`}
              onClick={() => (applied === null ? setText('') : apply(''))}
            />
          )
        }
        error={isIncomplete && text.trim() !== '' ? `Like ${placeholder}` : null}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={() => apply(text)}
      />
    </form>
  );
}
