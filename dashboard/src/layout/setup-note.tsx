import { useSetupProgress } from '../api/use-setup-progress.ts';
import { useRights } from '../session/use-rights.ts';
import classes from './setup-note.module.css';

/** How far the set-up is, until it is complete. It is left to members who can complete it. */
export function SetupNote() {
  const { progress } = useSetupProgress({ live: false });
  const { mayChange } = useRights();
  if (progress === null || progress.next === null || !mayChange) return null;
  return (
    <span className={classes.note}>
      {progress.doneCount} of {progress.items.length}
    </span>
  );
}
