/** The campaigns of `npm run torture`: each is one test file or folder, run on one store. */

const TESTS = 'server/test';

export const CAMPAIGNS = [
  { name: 'workload on SQLite', project: 'sqlite', file: `${TESTS}/workload` },
  { name: 'workload on PostgreSQL', project: 'postgres', file: `${TESTS}/workload` },
  {
    name: 'fact cache on SQLite',
    project: 'sqlite',
    file: `${TESTS}/sqlite/fact-cache-workload.test.ts`,
  },
  { name: 'crash of the service on SQLite', project: 'sqlite', file: `${TESTS}/process/crash.test.ts` },
  { name: 'crash of service and PostgreSQL', project: 'postgres', file: `${TESTS}/postgres/crashes.test.ts` },
  { name: 'dying agents on SQLite', project: 'sqlite', file: `${TESTS}/http/dying-agents.test.ts` },
  { name: 'dying agents on PostgreSQL', project: 'postgres', file: `${TESTS}/http/dying-agents.test.ts` },
  { name: 'dying processes', project: 'sqlite', file: `${TESTS}/process/dying-processes.test.ts` },
  { name: 'budget race on SQLite', project: 'sqlite', file: `${TESTS}/process/budget-race.test.ts` },
  {
    name: 'budget race across instances',
    project: 'postgres',
    file: `${TESTS}/postgres/budget-race.test.ts`,
  },
  { name: 'network to PostgreSQL', project: 'postgres', file: `${TESTS}/postgres/fault-proxy.test.ts` },
  { name: 'retries on SQLite', project: 'sqlite', file: `${TESTS}/http/retries.test.ts` },
  { name: 'retries on PostgreSQL', project: 'postgres', file: `${TESTS}/http/retries.test.ts` },
  {
    name: 'limits across instances',
    project: 'postgres',
    file: `${TESTS}/postgres/limits-across-instances.test.ts`,
  },
  {
    name: 'changes across instances',
    project: 'postgres',
    file: `${TESTS}/postgres/changes-across-instances.test.ts`,
  },
  {
    name: 'batches across instances',
    project: 'postgres',
    file: `${TESTS}/postgres/batches-across-instances.test.ts`,
  },
  { name: 'backups under load on SQLite', project: 'sqlite', file: `${TESTS}/process/backup.test.ts` },
  { name: 'dumps under load on PostgreSQL', project: 'postgres', file: `${TESTS}/postgres/dump.test.ts` },
  { name: 'fuzz on SQLite', project: 'sqlite', file: `${TESTS}/fuzz` },
  { name: 'fuzz on PostgreSQL', project: 'postgres', file: `${TESTS}/fuzz` },
  { name: 'noisy neighbours on SQLite', project: 'sqlite', file: `${TESTS}/neighbours` },
  { name: 'noisy neighbours on PostgreSQL', project: 'postgres', file: `${TESTS}/neighbours` },
  { name: 'abuse of the process', project: 'sqlite', file: `${TESTS}/process/abuse.test.ts` },
  { name: 'secrets on SQLite', project: 'sqlite', file: `${TESTS}/http/secrets.test.ts` },
  { name: 'secrets on PostgreSQL', project: 'postgres', file: `${TESTS}/http/secrets.test.ts` },
];
