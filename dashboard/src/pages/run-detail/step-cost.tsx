import { Cost, Money } from '../../components/money.tsx';
import classes from './step-cost.module.css';
import { costNoteOf, holdFateOf, openHoldOf, stepUsdFormat } from './step-hold.ts';
import { tokensOf } from './step-name.ts';
import type { Step } from './step-timeline.ts';

/** The cost of a step, or what it holds until its cost is known, with a note below. */
export function StepCost({ step, isLong = false }: { step: Step; isLong?: boolean }) {
  const openHold = openHoldOf(step);
  const note = costNoteOf(step);
  return (
    <span
      className={classes.cost}
      data-short={!isLong || undefined}
      data-held={(openHold !== null && !isLong) || undefined}
    >
      {openHold === null || isLong ? (
        <Cost usd={step.cost_usd} tokens={tokensOf(step)} format={stepUsdFormat(step)} />
      ) : (
        <Money usd={openHold} />
      )}
      {note !== null && !(isLong && openHold !== null) && (
        <span className={classes.note} title={isLong ? undefined : note.long}>
          {isLong ? note.long : note.short}
        </span>
      )}
    </span>
  );
}

/** What a step has held. */
export function StepHold({ step }: { step: Step }) {
  if (step.hold_usd === null) return '–';
  const note = openHoldOf(step) === null ? holdFateOf(step) : costNoteOf(step)?.long;
  return (
    <span className={classes.cost}>
      <Money usd={step.hold_usd} format={stepUsdFormat(step)} />
      {note != null && <span className={classes.note}>{note}</span>}
    </span>
  );
}
