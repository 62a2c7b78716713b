import { GuardedRuns, RunDenied, StepDenied } from '@guarded-runs/sdk';

const guard = new GuardedRuns();
await guard.users.block('mallory');

try {
  await guard.run({ userId: 'mallory' }, () => console.log('This is never reached'));
} catch (error) {
  if (error instanceof RunDenied || error instanceof StepDenied) console.log(error.reason);
  else throw error;
}
