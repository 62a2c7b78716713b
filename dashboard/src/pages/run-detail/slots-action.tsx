import { useQuery } from '@tanstack/react-query';
import { billingQuery, currentData, readAnew, runningRunsQuery, workspaceQuery } from '../../api/queries.ts';
import { LinkButton } from '../../components/link-button.tsx';
import { formatQuantity } from '../../format/count.ts';
import { PLACES } from '../../format/denial-remedies.ts';
import { LIMITS } from '../../format/limits.ts';
import { slotsSince } from '../../format/since-denial.ts';
import { DenialAction } from './denial-action.tsx';
import type { RemedyProps } from './denied-request.ts';
import { RaiseLimitButton } from './raise-limit-button.tsx';
import { type RaiseIntent, RaiseLimitDialog } from './raise-limit-dialog.tsx';
import { useDenialDialog } from './use-denial-dialog.ts';

const FIELD = 'max_concurrent_runs';

/** Shows the runs that hold the slots, or gives the workspace more of them. */
export function SlotsAction({ onDialog }: Pick<RemedyProps, 'onDialog'>) {
  const { dialog, buttonRef, outcomeRef, onClosed } = useDenialDialog<RaiseIntent>(onDialog);
  const workspace = currentData(useQuery(readAnew(workspaceQuery)));
  const running = currentData(useQuery(readAnew(runningRunsQuery)))?.total;
  const { data: billing } = useQuery(billingQuery);
  if (workspace === undefined || running === undefined || billing === undefined) return null;
  const limit = workspace[FIELD];
  return (
    <>
      <DenialAction
        since={slotsSince({ running, limit })}
        needs="change"
        help={`stop some of these runs, or raise the ${LIMITS[FIELD].noun}`}
        link={
          <LinkButton href={PLACES.slots} variant="default" size="xs">
            See the runs that hold the slots
          </LinkButton>
        }
        outcomeRef={outcomeRef}
      >
        <RaiseLimitButton
          field={FIELD}
          billing={billing}
          buttonRef={buttonRef}
          onClick={() => dialog.open({ from: limit })}
        />
      </DenialAction>
      <RaiseLimitDialog
        dialog={dialog}
        field={FIELD}
        workspace={workspace}
        use={`${formatQuantity(running, 'run')} ${running === 1 ? 'is' : 'are'} running.`}
        isEnough={(raised) => raised > running}
        onClosed={onClosed}
      />
    </>
  );
}
