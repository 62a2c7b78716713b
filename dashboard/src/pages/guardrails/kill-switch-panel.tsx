import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/api-client.ts';
import { killSwitchQuery } from '../../api/queries.ts';
import { Allowed } from '../../components/allowed.tsx';
import { Icon } from '../../components/icon.tsx';
import { KillSwitchDialog, type KillSwitchIntent } from '../../components/kill-switch-dialog.tsx';
import { PlanGate } from '../../components/plan-gate.tsx';
import { ServerButton } from '../../components/server-button.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useIntent } from '../../components/use-intent.ts';
import { useNow } from '../../components/use-now.ts';
import { actorName } from '../../format/activity.ts';
import { formatMoment, formatUtc } from '../../format/time.ts';
import classes from './kill-switch-panel.module.css';

interface KillSwitchPanelProps {
  readonly workspace: Schemas['Workspace'];
  readonly billing: Schemas['Billing'];
}

/** Turns the kill switch on and off, after a confirmation. */
export function KillSwitchPanel({ workspace, billing }: KillSwitchPanelProps) {
  const active = workspace.kill_switch;
  const dialog = useIntent<KillSwitchIntent>();

  return (
    <section className={classes.panel} data-active={active || undefined} aria-labelledby="kill-switch">
      <PlanGate billing={billing} feature="kill_switch">
        {(locked) => (
          <div className={classes.row}>
            <span className={classes.icon}>
              <Icon name="stop" size={26} />
            </span>
            <div className={classes.text}>
              <h2 className={classes.title} id="kill-switch">
                Kill switch is {active ? 'on' : 'off'}
              </h2>
              <p className={classes.description}>
                {active
                  ? 'All runs and steps of this workspace are denied.'
                  : 'Turned on, it immediately denies all runs and steps of this workspace.'}
              </p>
              {active && (
                <Allowed needs="audit">
                  <TurnedOnBy />
                </Allowed>
              )}
            </div>
            <ServerButton
              needs="change"
              size="lg"
              {...(active ? {} : { color: 'red.8' })}
              disabled={locked && !active}
              onClick={() => dialog.open({ active: !active })}
              className={classes.button ?? ''}
            >
              {active ? 'Turn off and resume' : 'Stop everything'}
            </ServerButton>
          </div>
        )}
      </PlanGate>
      <KillSwitchDialog dialog={dialog} workspace={workspace} />
    </section>
  );
}

/** Nothing if the log has no such entry: it may be older than the log. */
function TurnedOnBy() {
  const { data } = useQuery(killSwitchQuery);
  const now = useNow();
  const entry = data?.items[0];
  if (entry === undefined) return null;
  const { actor, created_at } = entry;
  const name = actorName(actor);
  return (
    <p className={classes.since}>
      On since{' '}
      <time dateTime={created_at} title={formatUtc(created_at)}>
        {formatMoment(created_at, now)}
      </time>
      , turned on by{' '}
      {actor.id === null ? name : <TextLink href={`/activity?actor=${actor.id}`}>{name}</TextLink>}
    </p>
  );
}
