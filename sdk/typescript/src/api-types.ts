/** The API types under short names, in camelCase. They are generated from openapi.json. */

import type { components, operations } from './internal/api-types.gen.js';
import type { CamelCased } from './internal/wire.js';

type Schemas = { readonly [Name in keyof components['schemas']]: CamelCased<components['schemas'][Name]> };

export type ApiKey = Schemas['ApiKey'];
export type CataloguePrice = Schemas['CataloguePrice'];
export type CreatedStep = Schemas['CreatedStep'];
export type CreateStep = Schemas['CreateStep'];
export type DailyUsage = Schemas['DailyUsage'];
/** The rule that denied, with what it compared. */
export type DeniedBy = NonNullable<CreatedStep['deniedBy']>;
export type Decision = Schemas['Decision'];
/** The reasons for denying a run or a step. */
export type DenyReason = Schemas['DenyReason'];
export type EndedRun = Schemas['EndedRun'];
export type EndRun = Schemas['EndRun'];
export type EndStatus = Schemas['EndStatus'];
export type ExplainedDecision = Schemas['ExplainedDecision'];
export type Heartbeat = Schemas['Heartbeat'];
/** What an API key may do. */
export type KeyScope = Schemas['KeyScope'];
export type ModelDetail = Schemas['ModelDetail'];
export type ModelPrice = Schemas['ModelPrice'];
export type NewApiKey = Schemas['NewApiKey'];
export type PatchWorkspace = Schemas['PatchWorkspace'];
export type PutModelPrice = Schemas['PutModelPrice'];
export type Run = Schemas['Run'];
export type RunListItem = Schemas['RunListItem'];
export type StartedRun = Schemas['StartedRun'];
export type StartRun = Schemas['StartRun'];
export type Step = Schemas['Step'];
export type StepReport = Schemas['StepReport'];
export type StepType = Schemas['StepType'];
export type StoppedRun = Schemas['StoppedRun'];
export type UpdatedStep = Schemas['UpdatedStep'];
export type UpdateStep = Schemas['UpdateStep'];
export type GuardrailEffects = Schemas['GuardrailEffects'];
export type UsageSummary = Schemas['UsageSummary'];
export type User = Schemas['User'];
export type UserDetail = Schemas['UserDetail'];
export type Workspace = Schemas['Workspace'];

export type ListRuns = QueryOf<'listRuns'>;
export type SearchCatalogue = QueryOf<'searchModelPricingCatalogue'>;
export type ListUsers = QueryOf<'listUsers'>;
export type ListDailyUsage = QueryOf<'getDailyUsage'>;
export type GetGuardrailEffects = QueryOf<'getGuardrailEffects'>;

export type RunPage = Page<RunListItem>;
export type UserPage = Page<User>;

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  readonly page: number;
  readonly perPage: number;
}

type QueryOf<Name extends keyof operations> = CamelCased<
  NonNullable<operations[Name]['parameters']['query']>
>;
