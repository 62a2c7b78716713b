import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { runsQuery } from '../../api/queries.ts';
import type { SetupProgress, SetupStep } from '../../api/setup-progress.ts';
import type { SetupState } from '../../api/use-setup-progress.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Icon } from '../../components/icon.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Panel } from '../../components/panel.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { formatQuantity } from '../../format/count.ts';
import { formatUsd } from '../../format/money.ts';
import classes from './checklist.module.css';
import { CODE_SECTION } from './code-panel.tsx';
import { type SnippetInput, TEST_DENIAL_USER } from './snippet-input.ts';
import { SnippetTabs } from './snippet-tabs.tsx';
import { DENIAL_SNIPPETS } from './snippets.ts';

/** The steps of the set-up. The service says which are done. */
export function Checklist({ setup, given }: { setup: SetupState; given: SnippetInput }) {
  const { progress, failed } = setup;
  return (
    <Panel
      title="Checklist"
      description={<span role="status">{progress === null ? null : describeProgress(progress)}</span>}
    >
      {progress !== null ? (
        <>
          <ProgressBar progress={progress} />
          <ol className={classes.steps}>
            {progress.items.map(({ step, isDone }) => (
              <Step key={step} {...{ step, isDone, setup, given }} isNext={progress.next === step} />
            ))}
          </ol>
        </>
      ) : failed !== null ? (
        <ErrorNotice error={failed.error} onRetry={() => void failed.refetch()} />
      ) : (
        <Skeleton height={300} radius="md" />
      )}
    </Panel>
  );
}

function describeProgress({ doneCount, items, next }: SetupProgress): string {
  const progress = `${doneCount} of ${items.length} done`;
  return next === null ? `${progress}. There is nothing left to do.` : progress;
}

/** The text says the same. */
function ProgressBar({ progress: { items, doneCount } }: { progress: SetupProgress }) {
  return (
    <div className={classes.bar} aria-hidden="true">
      {items.map(({ step }, index) => (
        <span key={step} data-done={index < doneCount || undefined} />
      ))}
    </div>
  );
}

interface StepProps {
  readonly step: SetupStep;
  readonly isDone: boolean;
  readonly isNext: boolean;
  readonly setup: SetupState;
  readonly given: SnippetInput;
}

function Step(props: StepProps) {
  const { title, Content } = STEPS[props.step];
  const { isDone, isNext } = props;
  return (
    <li className={classes.step} data-done={isDone || undefined} aria-current={isNext ? 'step' : undefined}>
      <span className={classes.mark} role="img" aria-label={isDone ? 'Done' : 'To do'}>
        {isDone && <Icon name="check" size={14} />}
      </span>
      <div className={classes.text}>
        <h3 className={classes.title}>{title}</h3>
        <Content {...props} />
      </div>
    </li>
  );
}

const STEPS: Readonly<Record<SetupStep, { title: string; Content: (props: StepProps) => ReactNode }>> = {
  key: { title: 'An API key', Content: KeyStep },
  run: { title: 'A first run', Content: RunStep },
  prices: { title: 'Prices of your models', Content: PricesStep },
  budget: { title: 'A daily budget', Content: BudgetStep },
  denial: { title: 'A test denial', Content: DenialStep },
};

function KeyStep({ isDone, isNext }: StepProps) {
  return isDone ? (
    <Done href="/settings" link="Manage keys">
      Your agents authenticate with it.
    </Done>
  ) : (
    <Todo href={`#${CODE_SECTION}`} link="Create a key below" isNext={isNext}>
      Your agents authenticate with a key. Create one that can start runs and steps, and cannot change
      guardrails.
    </Todo>
  );
}

function RunStep({ isDone, isNext, setup: { newestRun } }: StepProps) {
  return isDone ? (
    <Done href={newestRun && `/runs/${newestRun.id}`} link="View run">
      Your first run has arrived.
    </Done>
  ) : (
    <>
      <Todo href={`#${CODE_SECTION}`} link="Go to the code" isNext={isNext}>
        Run the code below: paste the command into a terminal, or use the code of your language or framework.
      </Todo>
      <p className={classes.wait}>
        <span className={classes.pulse} aria-hidden="true" />
        Waiting for your first run. It appears here automatically.
      </p>
    </>
  );
}

const MODELS_NAMED = 3;

function PricesStep({ isDone, isNext, setup: { models } }: StepProps) {
  if (models === null) return null;
  const { missing, usedCount } = models;
  if (isDone) {
    return (
      <Done href="/prices" link="View prices">
        {usedCount > 0
          ? 'All models that were used in the last 30 days have a price.'
          : 'Prices are set. Add more when your agents use other models.'}
      </Done>
    );
  }
  if (missing.length === 0) {
    return (
      <Todo href="/prices?catalogue=" link="Choose models" isNext={isNext}>
        Without a price, tokens are counted, but do not count towards budgets. Add the models of your agents
        from the catalogue.
      </Todo>
    );
  }
  const others = missing.length - MODELS_NAMED;
  return (
    <Todo href="/prices" link="Set prices" isNext={isNext}>
      Used without a price, so their tokens do not count towards budgets:{' '}
      <strong>{missing.slice(0, MODELS_NAMED).join(', ')}</strong>
      {others > 0 && ` and ${formatQuantity(others, 'other')}`}.
    </Todo>
  );
}

function BudgetStep({ isDone, isNext, setup: { workspace } }: StepProps) {
  if (!isDone || workspace === null) {
    return (
      <Todo href="/guardrails" link="Set a budget" isNext={isNext}>
        What your agents may spend per day. When it is reached, runs and steps are denied until midnight UTC.
      </Todo>
    );
  }
  const { daily_budget_usd: ofWorkspace, user_daily_budget_usd: ofUser } = workspace;
  const budgets = [
    ...(ofWorkspace === null ? [] : [`${formatUsd(ofWorkspace)} for the workspace`]),
    ...(ofUser === null ? [] : [`${formatUsd(ofUser)} for each user`]),
  ];
  return (
    <Done href="/guardrails" link="View guardrails">
      Per day: {budgets.join(', ')}.
    </Done>
  );
}

const testDenialQuery = runsQuery({ status: null, userId: TEST_DENIAL_USER, page: 1, perPage: 1 });

function DenialStep({ isDone, isNext, setup, given }: StepProps) {
  const test = useQuery({ ...testDenialQuery, enabled: isDone });
  const run = test.data?.items[0];
  return (
    <>
      {!isDone ? (
        <Todo isNext={isNext}>
          See how your agent is stopped before it matters. This code starts a run that limits itself to one
          step, and asks for two: the second one is denied. It changes no setting and affects no other run, so
          there is nothing to undo.
        </Todo>
      ) : run !== undefined ? (
        <Done href={`/runs/${run.id}`} link="View denied run">
          A denial was seen.
        </Done>
      ) : (
        <Done href={setup.hasBlockedRuns ? '/runs?status=BLOCKED' : null} link="View denied runs">
          A denial was seen.
        </Done>
      )}
      <Disclosure label="Code of the test denial" opensItself={isNext}>
        <SnippetTabs label="Code of the test denial" snippets={DENIAL_SNIPPETS} given={given} />
      </Disclosure>
    </>
  );
}

interface DisclosureProps {
  readonly label: string;
  readonly opensItself: boolean;
  readonly children: ReactNode;
}

/** Opens when its turn has come, and then stays as it is: code must not disappear while someone copies it. */
function Disclosure({ label, opensItself, children }: DisclosureProps) {
  const [isOpen, setOpen] = useState(opensItself);
  const [wasItsTurn, setItsTurn] = useState(opensItself);
  if (opensItself !== wasItsTurn) {
    setItsTurn(opensItself);
    if (opensItself) setOpen(true);
  }
  return (
    <details
      className={classes.disclosure}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{label}</summary>
      {children}
    </details>
  );
}

interface DoneProps {
  /** null: nothing to see. */
  readonly href: string | null;
  readonly link: string;
  readonly children: ReactNode;
}

function Done({ href, link, children }: DoneProps) {
  return (
    <p className={classes.note}>
      {children} {href !== null && <TextLink href={href}>{link}</TextLink>}
    </p>
  );
}

interface TodoProps {
  /** A page, or a panel of this one; none if there is nothing to open. */
  readonly href?: string;
  readonly link?: string;
  readonly isNext: boolean;
  readonly children: ReactNode;
}

function Todo({ href, link, isNext, children }: TodoProps) {
  const appearance = { variant: isNext ? 'filled' : 'default', size: 'xs' };
  return (
    <div className={classes.row}>
      <p className={classes.note}>{children}</p>
      {href?.startsWith('#') ? (
        // The browser scrolls to the panel; the router would not.
        <Button component="a" href={href} {...appearance}>
          {link}
        </Button>
      ) : (
        href !== undefined && (
          <LinkButton href={href} {...appearance}>
            {link}
          </LinkButton>
        )
      )}
    </div>
  );
}
