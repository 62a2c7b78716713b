import { DataTable } from '../../components/data-table.tsx';
import { Cost } from '../../components/money.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Tokens } from '../../components/tokens.tsx';
import { DENY_REASON_LABELS } from '../../format/deny-reason.ts';
import { formatDuration } from '../../format/time.ts';
import { STEP_TYPE_LABELS, subjectOf, tokensOf } from './step-name.ts';
import classes from './step-table.module.css';
import type { Step } from './step-timeline.ts';

export function StepTable({ steps, onOpen }: { steps: readonly Step[]; onOpen: (stepId: string) => void }) {
  return (
    <DataTable
      label="Steps"
      head={
        <tr>
          <th scope="col" className="numeric">
            #
          </th>
          <th scope="col">Step</th>
          <th scope="col">Status</th>
          <th scope="col" className="numeric wide-only">
            Duration
          </th>
          <th scope="col" className="numeric wide-only">
            Prompt
          </th>
          <th scope="col" className="numeric wide-only">
            Completion
          </th>
          <th scope="col" className="numeric">
            Cost
          </th>
        </tr>
      }
    >
      {steps.map((step) => (
        <tr key={step.id} className={classes.row}>
          <td className={`numeric ${classes.sequence}`}>{step.sequence}</td>
          <td>
            <button type="button" className={classes.open} onClick={() => onOpen(step.id)}>
              {STEP_TYPE_LABELS[step.type]}
            </button>{' '}
            <span className={classes.subject}>{subjectOf(step)}</span>
          </td>
          <td>
            <StatusBadge status={step.status} />
            {step.decision.reason !== null && (
              <div className={classes.reason}>{DENY_REASON_LABELS[step.decision.reason]}</div>
            )}
          </td>
          <td className="numeric wide-only">
            {step.duration_ms === null ? '–' : formatDuration(step.duration_ms)}
          </td>
          <td className="numeric wide-only">
            {step.prompt_tokens === null ? '–' : <Tokens count={step.prompt_tokens} />}
          </td>
          <td className="numeric wide-only">
            {step.completion_tokens === null ? '–' : <Tokens count={step.completion_tokens} />}
          </td>
          <td className="numeric">
            <Cost usd={step.cost_usd} tokens={tokensOf(step)} />
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
