import type { Schemas } from '../../api/api-client.ts';
import { Facts } from '../../components/facts.tsx';
import { Meter } from '../../components/meter.tsx';
import { type RunLimitUse, runLimitUses } from './run-limit-use.ts';
import classes from './run-limits.module.css';

/** The limits of a run and how much of each is used. Renders nothing for a run without limits. */
export function RunLimits({ run }: { run: Schemas['Run'] }) {
  const uses = runLimitUses(run);
  if (uses.length === 0) return null;
  return (
    <section className={classes.limits} aria-labelledby="run-limits">
      <h2 className={classes.heading} id="run-limits">
        Limits of this run
      </h2>
      <Facts facts={uses.map((use) => [use.label, <Use key={use.label} use={use} />] as const)} />
    </section>
  );
}

function Use({ use: { label, text, meter } }: { use: RunLimitUse }) {
  return (
    <>
      {text}
      {meter !== null && (
        <div className={classes.meter}>
          <Meter label={`${label} used`} {...meter} />
        </div>
      )}
    </>
  );
}
