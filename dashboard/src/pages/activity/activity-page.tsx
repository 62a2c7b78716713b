import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { Link, useLocation } from 'wouter';
import { auditLogQuery, MAX_ENTRIES_COUNTED, visibleData } from '../../api/queries.ts';
import type { Column } from '../../components/data-table.tsx';
import { DayInput } from '../../components/day-input.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Icon } from '../../components/icon.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { MissingPage } from '../../components/missing-page.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PageSkeleton } from '../../components/page-skeleton.tsx';
import { Pager } from '../../components/pager.tsx';
import { QueryTable } from '../../components/query-table.tsx';
import { Surface } from '../../components/surface.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useSearchParameters } from '../../components/use-search-parameters.ts';
import {
  AUDIT_ACTIONS,
  type AuditAction,
  type AuditEntry,
  actionLabel,
  actorName,
  describeEntry,
} from '../../format/activity.ts';
import { useRights } from '../../session/use-rights.ts';
import { type ActivityAddress, ALL_ACTIVITY, fromSearch, toHref, toMoments } from './activity-filter.ts';
import classes from './activity-page.module.css';

const PER_PAGE = 25;

export function ActivityPage() {
  const { role, mayAudit } = useRights();
  if (role === null) return <PageSkeleton />;
  return (
    <>
      <PageHeader title="Activity" description="Who changed what in this workspace, newest first." />
      {mayAudit ? (
        <Activity />
      ) : (
        <Surface>
          <EmptyState icon="activity" title="Only owners and admins see the activity">
            Ask an owner of the workspace for another role.
          </EmptyState>
        </Surface>
      )}
    </>
  );
}

function Activity() {
  const [parameters] = useSearchParameters();
  const address = fromSearch(parameters);
  const { action, actorId, page } = address;
  const log = useQuery(auditLogQuery({ action, actorId, ...toMoments(address), page, perPage: PER_PAGE }));
  const list = visibleData(log);

  return (
    <>
      <Filter address={address} actor={list?.items.find(({ actor }) => actor.id === actorId)?.actor} />
      <QueryTable
        label="Activity"
        query={log}
        columns={columnsOf(address)}
        rows={list?.items}
        keyOf={({ id }) => id}
        skeletonRows={8}
        empty={<NoActivity address={address} total={list?.total ?? 0} />}
        frame={Surface}
        errorClass="stack-item"
      >
        {list !== undefined && (
          <Pager
            page={page}
            perPage={PER_PAGE}
            total={list.total}
            countedUpTo={MAX_ENTRIES_COUNTED}
            hrefOf={(next) => toHref({ ...address, page: next })}
          />
        )}
      </QueryTable>
    </>
  );
}

interface FilterProps {
  readonly address: ActivityAddress;
  /** The one whose entries are shown; undefined if there is none, or no entry of it. */
  readonly actor: AuditEntry['actor'] | undefined;
}

function Filter({ address, actor }: FilterProps) {
  const [, navigate] = useLocation();
  const filter = (changed: Partial<ActivityAddress>) => navigate(toHref({ ...address, ...changed, page: 1 }));
  return (
    <div className={classes.bar}>
      <NativeSelect
        className={classes.action ?? ''}
        label="Action"
        value={address.action ?? ''}
        onChange={({ currentTarget: { value } }) =>
          filter({ action: value === '' ? null : (value as AuditAction) })
        }
        data={[
          { value: '', label: 'All actions' },
          ...AUDIT_ACTIONS.map((action) => ({ value: action, label: actionLabel(action) })),
        ]}
      />
      <DayInput
        className={classes.day}
        label="From"
        day={address.from}
        onChange={(from) => filter({ from })}
      />
      <DayInput className={classes.day} label="To" day={address.to} onChange={(to) => filter({ to })} />
      {address.actorId !== null && (
        <Link
          href={toHref({ ...address, actorId: null, page: 1 })}
          className={classes.chip}
          title="Show the activity of everyone"
        >
          Only {actor === undefined ? 'one member or key' : actorName(actor)}
          <Icon name="close" size={14} />
        </Link>
      )}
    </div>
  );
}

const columnsOf = (address: ActivityAddress): readonly Column<AuditEntry>[] => [
  {
    header: 'Change',
    className: classes.entry,
    cell: (entry) => (
      <>
        <ActorLink actor={entry.actor} address={address} />{' '}
        {describeEntry(entry).map((part, index) =>
          typeof part === 'string' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no other order.
            <Fragment key={index}>{part}</Fragment>
          ) : (
            <TextLink key={part.href} href={part.href}>
              {part.text}
            </TextLink>
          ),
        )}
        <div className={classes.origin}>
          <Timestamp iso={entry.created_at} />
          {entry.ip_address !== null && ` · from ${entry.ip_address}`}
        </div>
      </>
    ),
  },
];

/** Filters by the actor. The command line and the service have no id to filter by. */
function ActorLink({ actor, address }: { actor: AuditEntry['actor']; address: ActivityAddress }) {
  if (actor.id === null) return <span className={classes.actor}>{actorName(actor)}</span>;
  return (
    <Link href={toHref({ ...address, actorId: actor.id, page: 1 })} className={classes.actor}>
      {actorName(actor)}
    </Link>
  );
}

function NoActivity({ address, total }: { address: ActivityAddress; total: number }) {
  if (total > 0) {
    return <MissingPage icon="activity" firstPage={toHref({ ...address, page: 1 })} />;
  }
  if (toHref(address) !== toHref(ALL_ACTIVITY)) {
    return (
      <EmptyState
        icon="search"
        title="No matching activity"
        action={
          <LinkButton variant="default" href={toHref(ALL_ACTIVITY)}>
            Show all activity
          </LinkButton>
        }
      >
        Nothing in the log matches this filter.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="activity" title="No activity yet">
      Changes of settings, users, prices, keys and members appear here.
    </EmptyState>
  );
}
