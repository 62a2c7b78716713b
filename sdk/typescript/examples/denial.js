import { denialIn, GuardedRuns } from '@guarded-runs/sdk';

const guard = new GuardedRuns();
await guard.users.block('mallory');

try {
  await guard.run({ userId: 'mallory' }, () => console.log('This is never reached'));
} catch (error) {
  const denial = denialIn(error);
  if (denial === null) throw error;
  console.log(denial.reason);
}
