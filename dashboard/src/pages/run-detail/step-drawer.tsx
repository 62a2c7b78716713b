import { Drawer, Skeleton, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Schemas } from '../../api/api-client.ts';
import type { RunStatus } from '../../api/queries.ts';
import { CopyIcon } from '../../components/copy-button.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Facts } from '../../components/facts.tsx';
import { Identifier } from '../../components/identifier.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { formatCount } from '../../format/count.ts';
import { formatDuration } from '../../format/time.ts';
import { DecisionDetail } from './decision-detail.tsx';
import { StepCost, StepHold } from './step-cost.tsx';
import classes from './step-drawer.module.css';
import { STEP_TYPE_LABELS, statusOf, subjectOf, tokensOf } from './step-name.ts';
import type { Step } from './step-timeline.ts';
import { TokenPartsTable } from './token-parts-table.tsx';

interface StepDrawerProps {
  readonly step: Step | null;
  readonly runStatus: RunStatus;
  readonly userId: string;
  readonly decision: Schemas['ExplainedDecision'] | undefined;
  readonly decisionsError: unknown;
  readonly onRetry: () => void;
  readonly onClose: () => void;
}

/** The details of one step. */
export function StepDrawer(props: StepDrawerProps) {
  const { step, runStatus, userId, decision, decisionsError, onRetry, onClose } = props;
  // Keeps the content during the closing transition.
  const [last, setLast] = useState(step);
  useEffect(() => {
    if (step !== null) setLast(step);
  }, [step]);
  const shown = step ?? last;
  const [hasDialog, setHasDialog] = useState(false);
  return (
    <Drawer
      opened={step !== null}
      onClose={onClose}
      // Escape closes only the dialog on top.
      closeOnEscape={!hasDialog}
      position="right"
      size="lg"
      title={shown === null ? '' : titleOf(shown)}
      closeButtonProps={{ 'aria-label': 'Close step' }}
    >
      {shown !== null && (
        <Stack gap="xl">
          <Facts
            facts={[
              ['Status', <StatusBadge key="status" status={statusOf(shown, runStatus)} />],
              ['Cost', <StepCost key="cost" step={shown} isLong />],
              ...(shown.hold_usd === null ? [] : [['Hold', <StepHold key="hold" step={shown} />] as const]),
              ['Duration', shown.duration_ms === null ? '–' : formatDuration(shown.duration_ms)],
              ['Prompt tokens', shown.prompt_tokens === null ? '–' : formatCount(shown.prompt_tokens)],
              [
                'Completion tokens',
                shown.completion_tokens === null ? '–' : formatCount(shown.completion_tokens),
              ],
              ...(shown.model === null ? [] : [['Model', name('model', shown.model)] as const]),
              ...(shown.tool_name === null ? [] : [['Tool', name('tool', shown.tool_name)] as const]),
              ['Requested', <Timestamp key="requested" iso={shown.created_at} isExact />],
            ]}
          />
          {shown.error !== null && (
            <section>
              <h3 className={classes.heading}>Error</h3>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard. */}
              <pre className={classes.error} tabIndex={0}>
                {shown.error}
              </pre>
            </section>
          )}
          {tokensOf(shown) > 0 && (
            <section>
              <h3 className={classes.heading}>Tokens and their cost</h3>
              <TokenPartsTable label="Tokens of the step and their cost" steps={[shown]} />
            </section>
          )}
          <section>
            <h3 className={classes.heading}>Decision</h3>
            {decision !== undefined ? (
              <DecisionDetail
                decision={decision}
                userId={userId}
                model={shown.model}
                onDialog={setHasDialog}
              />
            ) : decisionsError != null ? (
              <ErrorNotice error={decisionsError} onRetry={onRetry} />
            ) : (
              <Skeleton height={140} radius="md" />
            )}
          </section>
          <Payload title="Input" data={shown.input_data} />
          {shown.output_data !== null && <Payload title="Output" data={shown.output_data} />}
          <p className={classes.id}>
            Step ID <span className="mono">{shown.id}</span>
            <CopyIcon text={shown.id} label="step ID" />
          </p>
        </Stack>
      )}
    </Drawer>
  );
}

function Payload({ title, data }: { title: string; data: Step['input_data'] }) {
  return (
    <section>
      <h3 className={classes.heading}>{title}</h3>
      {data === null ? (
        <p className={classes.none}>No data was sent.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
        <pre className={classes.payload} tabIndex={0}>
          {JSON.stringify(data, null, 2)}
        </pre>
      )}
    </section>
  );
}

function name(what: string, text: string) {
  return <Identifier key={what} text={text} label={`name of the ${what}`} />;
}

function titleOf(step: Step): string {
  const subject = subjectOf(step);
  const name = STEP_TYPE_LABELS[step.type];
  return `${formatCount(step.sequence)}. ${subject === null ? name : `${name}: ${subject}`}`;
}
