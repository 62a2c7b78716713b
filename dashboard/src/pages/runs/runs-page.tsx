import { CloseButton, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { MAX_RUNS_COUNTED, type RunState, runsQuery, visibleData } from '../../api/queries.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import barClasses from '../../components/filter-bar.module.css';
import { FilterLinks } from '../../components/filter-links.tsx';
import { Icon } from '../../components/icon.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { MissingPage } from '../../components/missing-page.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Pager } from '../../components/pager.tsx';
import { RunTable } from '../../components/run-table.tsx';
import { Surface } from '../../components/surface.tsx';
import { useSearchParameters } from '../../components/use-search-parameters.ts';
import { fromSearch, RUN_STATES, type RunListAddress, toHref } from './run-filter.ts';

const PER_PAGE = 25;

const STATE_LABELS: Readonly<Record<RunState, string>> = {
  RUNNING: 'Running',
  IDLE: 'Idle',
  COMPLETED: 'Completed',
  FAILED: 'Failed',
  EXPIRED: 'Expired',
  BLOCKED: 'Blocked',
};

/** What a filter means that is not a status. */
const EXPLANATIONS: Readonly<Partial<Record<RunState, string>>> = {
  IDLE: 'Running, but the agent has sent nothing for 5 minutes or more. Runs without a lease are not included.',
  EXPIRED: 'Ended by their lease: the agent sent nothing before it ended.',
};

export function RunsPage() {
  const [parameters] = useSearchParameters();
  const address = fromSearch(parameters);
  const runs = useQuery(runsQuery({ ...address, perPage: PER_PAGE }));
  const list = visibleData(runs);
  const explanation = address.status === null ? undefined : EXPLANATIONS[address.status];

  return (
    <>
      <PageHeader title="Runs" description="Every run your agents requested, newest first." />
      <div className={barClasses.bar}>
        <FilterLinks
          label="Status"
          options={[null, ...RUN_STATES].map((status) => ({
            label: status === null ? 'All' : STATE_LABELS[status],
            href: toHref({ ...address, status, page: 1 }),
            current: address.status === status,
          }))}
        />
        <UserFilter key={address.userId} address={address} />
      </div>
      {explanation !== undefined && <p className={barClasses.explanation}>{explanation}</p>}
      <RunTable
        label="Runs"
        query={runs}
        rows={list?.items}
        skeletonRows={10}
        empty={<NoRuns address={address} total={list?.total ?? 0} />}
        frame={Surface}
        errorClass="stack-item"
      >
        {list !== undefined && (
          <Pager
            page={address.page}
            perPage={PER_PAGE}
            total={list.total}
            countedUpTo={explanation === undefined ? undefined : MAX_RUNS_COUNTED}
            hrefOf={(page) => toHref({ ...address, page })}
          />
        )}
      </RunTable>
    </>
  );
}

/** Filters on submit and on blur. User IDs match exactly, so filtering on every keystroke would only flicker. */
function UserFilter({ address }: { address: RunListAddress }) {
  const [, navigate] = useLocation();
  const [text, setText] = useState(address.userId ?? '');
  useEffect(() => setText(address.userId ?? ''), [address.userId]);
  const apply = (userId: string) => {
    // An ID from a link is not trimmed: it may begin or end with a space.
    if (userId === (address.userId ?? '')) return;
    const wanted = userId.trim() || null;
    if (wanted !== address.userId) navigate(toHref({ ...address, userId: wanted, page: 1 }));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    apply(text);
  };
  return (
    <form onSubmit={submit} className={barClasses.grow}>
      <TextInput
        aria-label="User"
        placeholder="Exact user ID"
        size="sm"
        maxLength={255}
        leftSection={<Icon name="search" size={15} />}
        rightSection={
          text !== '' && (
            <CloseButton size="sm" aria-label="Clear the user filter" onClick={() => apply('')} />
          )
        }
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={() => apply(text)}
      />
    </form>
  );
}

function NoRuns({ address, total }: { address: RunListAddress; total: number }) {
  if (total > 0) {
    return <MissingPage icon="runs" firstPage={toHref({ ...address, page: 1 })} />;
  }
  if (address.status !== null || address.userId !== null) {
    return (
      <EmptyState
        icon="search"
        title="No matching runs"
        action={
          <LinkButton variant="default" href="/runs">
            Show all runs
          </LinkButton>
        }
      >
        {address.userId !== null && 'User IDs must match exactly and are case-sensitive.'}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="runs"
      title="No runs yet"
      action={<LinkButton href="/setup">Connect an agent</LinkButton>}
    >
      Start one with your API key. The setup page has a command to copy. The run appears here automatically.
    </EmptyState>
  );
}
