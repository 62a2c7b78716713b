// Generated from openapi.json by npm run generated. Do not edit.

export interface paths {
    readonly "/v1/runs/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List runs, newest first */
        readonly get: operations["listRuns"];
        readonly put?: never;
        /**
         * Start a run
         * @description Evaluates all six guardrails. A denied start is stored as BLOCKED and moves no counter.
         */
        readonly post: operations["startRun"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/runs/{run_id}/end": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * End a run
         * @description Frees its concurrency slot. Repeating it with the same status returns the first answer.
         */
        readonly post: operations["endRun"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/runs/{run_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Read a run with its steps */
        readonly get: operations["getRun"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/runs/{run_id}/steps": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Ask whether a step may be done
         * @description Evaluates the first four guardrails. A denied step is stored as BLOCKED; its run goes on.
         */
        readonly post: operations["createStep"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/runs/{run_id}/steps/{step_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Report what a step used
         * @description Token counts are priced and counted towards today. Repeating the same report returns the first answer and counts nothing twice. Accepted after the run has ended, so that no cost is lost.
         */
        readonly patch: operations["updateStep"];
        readonly trace?: never;
    };
    readonly "/v1/runs/{run_id}/decisions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Explain every decision of a run
         * @description In the order in which they were made, with every rule, its limit and the value compared.
         */
        readonly get: operations["listRunDecisions"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/model-pricing/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List active prices by model */
        readonly get: operations["listModelPrices"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/model-pricing/{model}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /**
         * Create or update the price of a model
         * @description The model is everything after /v1/model-pricing/, plain or percent-encoded.
         */
        readonly put: operations["putModelPrice"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/model-pricing-catalogue": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Search public list prices
         * @description Finds models and providers that contain every word of the query. The list comes with the service: no other host is asked, and it is as old as as_of says.
         */
        readonly get: operations["searchModelPricingCatalogue"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/workspace/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Read the workspace */
        readonly get: operations["getWorkspace"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Change settings
         * @description Only the fields present are changed; one field the plan lacks refuses them all.
         */
        readonly patch: operations["updateWorkspace"];
        readonly trace?: never;
    };
    readonly "/v1/workspace/kill-switch": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Turn the kill switch on or off
         * @description While it is on, every run start and step creation is denied. Turning it on needs Scale or higher.
         */
        readonly post: operations["setKillSwitch"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/users/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List users, most recently seen first */
        readonly get: operations["listUsers"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/users/{user_id}/block": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Deny every run and step of a user
         * @description A user who never ran can be blocked, too.
         */
        readonly post: operations["blockUser"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/users/block": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Deny every run and step of a user, whatever the name
         * @description A user who never ran can be blocked, too. Clients take `.` and `..` out of a path, so only this form reaches users of these names.
         */
        readonly post: operations["blockUserByBody"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/users/{user_id}/unblock": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Let a user run again
         * @description Does nothing when the user is not blocked.
         */
        readonly post: operations["unblockUser"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/users/unblock": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Let a user run again, whatever the name
         * @description Does nothing when the user is not blocked. Clients take `.` and `..` out of a path, so only this form reaches users of these names.
         */
        readonly post: operations["unblockUserByBody"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/usage/summary": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read spend and tokens
         * @description Days are UTC days including today. Spend belongs to the day on which it was reported.
         */
        readonly get: operations["getUsageSummary"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/usage/daily": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read spend, tokens and denials day by day
         * @description UTC days, oldest first, today last; days without usage are there, too.
         */
        readonly get: operations["getDailyUsage"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/auth/register": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Create an account with its workspace and first API key */
        readonly post: operations["register"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/auth/login": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Sign in */
        readonly post: operations["login"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/auth/me": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Read the signed-in account */
        readonly get: operations["getMe"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/auth/change-password": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Change the password
         * @description Every older token stops working; the answer has a new one.
         */
        readonly post: operations["changePassword"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/api-keys/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List API keys, newest first */
        readonly get: operations["listApiKeys"];
        readonly put?: never;
        /** Create an API key */
        readonly post: operations["createApiKey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/api-keys/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /** Revoke an API key at once */
        readonly delete: operations["revokeApiKey"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/api-keys/regenerate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Replace every API key of the workspace by a new one */
        readonly post: operations["regenerateApiKeys"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/billing/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Read the plan and what is used of it */
        readonly get: operations["getBilling"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/billing/plan": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /**
         * Change the plan
         * @description An upgrade acts at once. A downgrade resets what the new plan lacks. 403 where PLAN_CHANGES is "operator".
         */
        readonly put: operations["setPlan"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/health": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Whether the service and its store answer */
        readonly get: operations["getHealth"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/metrics": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Figures for Prometheus */
        readonly get: operations["getMetrics"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/openapi.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** This document */
        readonly get: operations["getOpenApi"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        readonly ApiKey: {
            /** Format: uuid */
            readonly id: string;
            /** @description The public part of the key: lg_<prefix>_… */
            readonly prefix: string;
            readonly label: string | null;
            readonly is_active: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description To the minute
             */
            readonly last_used_at: string | null;
        };
        readonly Billing: {
            readonly plan: components["schemas"]["Plan"];
            /** @description Runs per calendar month; null: unlimited */
            readonly monthly_run_limit: number | null;
            /** @description Runs this calendar month */
            readonly monthly_run_count: number;
            readonly max_concurrent_runs: number;
            readonly features: readonly components["schemas"]["Feature"][];
            /** @description Every plan, from the lowest */
            readonly plans: readonly {
                readonly plan: components["schemas"]["Plan"];
                readonly name: string;
                /** @description Runs per calendar month; null: unlimited */
                readonly monthly_run_limit: number | null;
                readonly features: readonly components["schemas"]["Feature"][];
            }[];
        };
        readonly CataloguePrice: {
            /** @description Who asks this price */
            readonly provider: string;
            /** @description Model identifier as the provider spells it */
            readonly model: string;
            /** @description For people */
            readonly name: string | null;
            /** @description USD per prompt token */
            readonly input_cost_per_token: number;
            /** @description USD per completion token */
            readonly output_cost_per_token: number;
            /** @description Whether long prompts or some times of the day cost something else; this is the base price */
            readonly has_other_prices: boolean;
            /**
             * Format: date
             * @description When the list was made
             */
            readonly as_of: string;
        };
        readonly ChangePassword: {
            readonly current_password: string;
            readonly new_password: string;
        };
        readonly CostBreakdown: {
            /** @description Spend reported in the period */
            readonly total_usd: number;
            /** @description Priced or not */
            readonly total_tokens: number;
            readonly run_count: number;
        };
        readonly CreateApiKey: {
            /** @description For people to tell keys apart */
            readonly label?: string | null;
        };
        readonly CreateStep: {
            readonly type: components["schemas"]["StepType"];
            /** @description Order within the run, from 1 */
            readonly sequence: number;
            /** @description Model identifier, for MODEL_CALL */
            readonly model?: string | null;
            /** @description Tool identifier, for TOOL_CALL */
            readonly tool_name?: string | null;
            readonly input_data?: components["schemas"]["Payload"];
        };
        readonly CreatedStep: {
            /** Format: uuid */
            readonly id: string;
            /** @enum {string} */
            readonly status: "ALLOWED" | "BLOCKED";
            readonly decision: components["schemas"]["Decision"];
        };
        readonly DailyModelCost: {
            readonly model: string;
            /** @description Spend of the day */
            readonly total_usd: number;
            /** @description Input tokens */
            readonly prompt_tokens: number;
            /** @description Output tokens */
            readonly completion_tokens: number;
            /** @description Tokens that had no price when they were reported: counted, but not in total_usd */
            readonly unpriced_tokens: number;
        };
        readonly DailyUsage: {
            /**
             * Format: date
             * @description UTC day
             */
            readonly day: string;
            /** @description Spend of the day */
            readonly total_usd: number;
            /** @description Priced or not */
            readonly total_tokens: number;
            /** @description Tokens that had no price when they were reported */
            readonly unpriced_tokens: number;
            /** @description Runs that were allowed to start */
            readonly run_count: number;
            /** @description The 50 most expensive models of the day at most */
            readonly by_model: readonly components["schemas"]["DailyModelCost"][];
            /** @description Denied run starts and steps by reason */
            readonly denials: readonly {
                readonly reason: components["schemas"]["DenyReason"];
                readonly count: number;
            }[];
            readonly other_models?: components["schemas"]["OtherModels"];
        };
        readonly Decision: {
            readonly outcome: components["schemas"]["Outcome"];
            /**
             * @description null when allowed
             * @enum {string|null}
             */
            readonly reason: "KILL_SWITCH_ACTIVE" | "USER_BLOCKED" | "WORKSPACE_DAILY_BUDGET_EXCEEDED" | "USER_DAILY_BUDGET_EXCEEDED" | "MONTHLY_RUN_LIMIT_EXCEEDED" | "MAX_CONCURRENT_RUNS_EXCEEDED" | "RUN_ALREADY_ENDED" | null;
        };
        /** @enum {string} */
        readonly DenyReason: "KILL_SWITCH_ACTIVE" | "USER_BLOCKED" | "WORKSPACE_DAILY_BUDGET_EXCEEDED" | "USER_DAILY_BUDGET_EXCEEDED" | "MONTHLY_RUN_LIMIT_EXCEEDED" | "MAX_CONCURRENT_RUNS_EXCEEDED" | "RUN_ALREADY_ENDED";
        readonly EndRun: {
            readonly status: components["schemas"]["EndStatus"];
        };
        /** @enum {string} */
        readonly EndStatus: "COMPLETED" | "FAILED";
        readonly EndedRun: {
            /** Format: uuid */
            readonly id: string;
            readonly status: components["schemas"]["EndStatus"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly ended_at: string;
        };
        /** @description Every error has this shape */
        readonly Error: {
            /** @description What is wrong, and where */
            readonly detail: string;
        };
        readonly ExplainedDecision: {
            /**
             * @description What was asked for
             * @enum {string}
             */
            readonly subject: "run" | "step";
            /**
             * Format: uuid
             * @description null for the start of the run
             */
            readonly step_id: string | null;
            readonly outcome: components["schemas"]["Outcome"];
            /** @enum {string|null} */
            readonly reason: "KILL_SWITCH_ACTIVE" | "USER_BLOCKED" | "WORKSPACE_DAILY_BUDGET_EXCEEDED" | "USER_DAILY_BUDGET_EXCEEDED" | "MONTHLY_RUN_LIMIT_EXCEEDED" | "MAX_CONCURRENT_RUNS_EXCEEDED" | "RUN_ALREADY_ENDED" | null;
            /** @description By rule name; the rules after the first DENY are absent */
            readonly evaluated_rules: {
                readonly [key: string]: components["schemas"]["RuleResult"];
            };
            readonly rules: readonly components["schemas"]["RuleEvaluation"][];
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly decided_at: string;
        };
        /** @enum {string} */
        readonly Feature: "user_daily_budget" | "max_concurrent_runs" | "kill_switch";
        readonly Health: {
            /** @description ok */
            readonly status: string;
            readonly version: string;
        };
        readonly Login: {
            readonly email: string;
            readonly password: string;
        };
        readonly Me: {
            /** Format: uuid */
            readonly id: string;
            readonly email: string;
            readonly name: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly created_at: string;
            /** Format: uuid */
            readonly workspace_id: string;
            readonly plan: components["schemas"]["Plan"];
        };
        readonly ModelCost: {
            readonly model: string;
            /** @description Spend of the last 30 days */
            readonly total_usd: number;
            /** @description Input tokens */
            readonly prompt_tokens: number;
            /** @description Output tokens */
            readonly completion_tokens: number;
        };
        readonly ModelPrice: {
            /** Format: uuid */
            readonly id: string;
            /** @description Equals the model of the steps exactly */
            readonly model: string;
            /** @description USD per prompt token */
            readonly input_cost_per_token: number;
            /** @description USD per completion token */
            readonly output_cost_per_token: number;
            readonly is_active: boolean;
        };
        readonly NewApiKey: {
            /** Format: uuid */
            readonly id: string;
            /** @description The public part of the key: lg_<prefix>_… */
            readonly prefix: string;
            readonly label: string | null;
            readonly is_active: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description To the minute
             */
            readonly last_used_at: string | null;
            /** @description Shown this once */
            readonly key: string;
        };
        /** @description All models that by_model does not list, together; absent when it lists every model */
        readonly OtherModels: {
            readonly model_count: number;
            /** @description Their spend */
            readonly total_usd: number;
            /** @description Input tokens */
            readonly prompt_tokens: number;
            /** @description Output tokens */
            readonly completion_tokens: number;
            /** @description Tokens that had no price when they were reported */
            readonly unpriced_tokens: number;
        };
        /** @enum {string} */
        readonly Outcome: "ALLOW" | "DENY";
        readonly PatchWorkspace: {
            /** @description null: no change */
            readonly name?: string | null;
            /** @description null removes the limit */
            readonly daily_budget_usd?: number | null;
            /** @description Pro or higher; null removes the limit */
            readonly user_daily_budget_usd?: number | null;
            /** @description Pro or higher; null: no change */
            readonly max_concurrent_runs?: number | null;
        };
        /** @description Any JSON object; stored and returned as it is */
        readonly Payload: {
            readonly [key: string]: unknown;
        } | null;
        /** @enum {string} */
        readonly Plan: "basic" | "pro" | "scale" | "enterprise";
        readonly PutModelPrice: {
            /** @description USD per prompt token, at most 18 decimal places */
            readonly input_cost_per_token: number;
            /** @description USD per completion token, at most 18 decimal places */
            readonly output_cost_per_token: number;
            /**
             * @description An inactive price is neither used nor listed
             * @default true
             */
            readonly is_active?: boolean;
        };
        readonly Register: {
            /** @description Compared without regard to case */
            readonly email: string;
            readonly password: string;
            /** @description Your name */
            readonly name?: string | null;
            /** @description Display name of the new workspace */
            readonly workspace_name?: string | null;
        };
        readonly Registered: {
            readonly access_token: string;
            /** @enum {string} */
            readonly token_type: "bearer";
            /** @description Shown this once */
            readonly api_key: string;
            readonly user: {
                /** Format: uuid */
                readonly id: string;
                readonly email: string;
                readonly name: string | null;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC
                 */
                readonly created_at: string;
            };
            readonly workspace: components["schemas"]["Workspace"];
        };
        readonly RuleEvaluation: {
            /** @enum {string} */
            readonly rule: "kill_switch" | "user_blocked" | "workspace_daily_budget" | "user_daily_budget" | "monthly_run_limit" | "max_concurrent_runs";
            readonly result: components["schemas"]["RuleResult"];
            /** @description null: no limit was set, or the rule is a switch */
            readonly limit: number | null;
            /** @description What was compared with the limit: USD, a count, or the state of a switch */
            readonly value: number | boolean;
            /**
             * Format: date-time
             * @description When the value starts again from zero
             */
            readonly resets_at: string | null;
        };
        /** @enum {string} */
        readonly RuleResult: "PASS" | "DENY";
        readonly Run: {
            /** Format: uuid */
            readonly id: string;
            readonly user_id: string;
            readonly status: components["schemas"]["RunStatus"];
            readonly metadata: components["schemas"]["Payload"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly started_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly ended_at: string | null;
            /** @description Prompt and completion tokens of all steps */
            readonly total_tokens: number;
            /** @description Cost of all priced steps */
            readonly total_cost_usd: number;
            /** @description Until now while the run is running */
            readonly duration_ms: number;
            readonly steps: readonly components["schemas"]["Step"][];
        };
        readonly RunListItem: {
            /** Format: uuid */
            readonly id: string;
            readonly user_id: string;
            readonly status: components["schemas"]["RunStatus"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly started_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly ended_at: string | null;
            readonly step_count: number;
            /** @description Prompt and completion tokens of all steps */
            readonly total_tokens: number;
            /** @description Cost of all priced steps */
            readonly total_cost_usd: number;
        };
        /** @enum {string} */
        readonly RunStatus: "RUNNING" | "COMPLETED" | "FAILED" | "BLOCKED";
        readonly SetKillSwitch: {
            readonly active: boolean;
        };
        readonly SetPlan: {
            readonly plan: components["schemas"]["Plan"];
        };
        readonly StartRun: {
            /** @description The end user for whom the agent runs */
            readonly user_id: string;
            readonly metadata?: components["schemas"]["Payload"];
        };
        readonly StartedRun: {
            /** Format: uuid */
            readonly id: string;
            /** @enum {string} */
            readonly status: "RUNNING" | "BLOCKED";
            readonly decision: components["schemas"]["Decision"];
        };
        readonly Step: {
            /** Format: uuid */
            readonly id: string;
            readonly type: components["schemas"]["StepType"];
            readonly status: components["schemas"]["StepStatus"];
            readonly sequence: number;
            readonly model: string | null;
            readonly tool_name: string | null;
            readonly prompt_tokens: number | null;
            readonly completion_tokens: number | null;
            /** @description null when the model had no active price */
            readonly cost_usd: number | null;
            readonly duration_ms: number | null;
            readonly input_data: components["schemas"]["Payload"];
            readonly output_data: components["schemas"]["Payload"];
            readonly decision: components["schemas"]["Decision"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly created_at: string;
        };
        /**
         * @description BLOCKED when the guardrails denied the step
         * @enum {string}
         */
        readonly StepStatus: "ALLOWED" | "COMPLETED" | "FAILED" | "BLOCKED";
        /** @enum {string} */
        readonly StepType: "INPUT" | "MODEL_CALL" | "TOOL_CALL" | "OUTPUT" | "REASONING" | "SYSTEM";
        readonly Token: {
            /** @description A JWT for the Authorization header */
            readonly access_token: string;
            /** @enum {string} */
            readonly token_type: "bearer";
        };
        readonly UpdateStep: {
            readonly status: components["schemas"]["EndStatus"];
            /** @description Milliseconds */
            readonly duration_ms?: number | null;
            /** @description Input tokens */
            readonly prompt_tokens?: number | null;
            /** @description Output tokens */
            readonly completion_tokens?: number | null;
        };
        readonly UpdatedStep: {
            /** Format: uuid */
            readonly id: string;
            readonly status: components["schemas"]["StepStatus"];
        };
        readonly UsageSummary: {
            readonly today: components["schemas"]["CostBreakdown"];
            readonly last_7_days: components["schemas"]["CostBreakdown"];
            readonly last_30_days: components["schemas"]["CostBreakdown"];
            /** @description The 100 most expensive models at most */
            readonly by_model: readonly components["schemas"]["ModelCost"][];
            /** @description The 1,000 most expensive users at most */
            readonly by_user: readonly components["schemas"]["UserCost"][];
            /** @description Runs this calendar month */
            readonly monthly_run_count: number;
            /** @description From the plan; null: unlimited */
            readonly monthly_run_limit: number | null;
            readonly other_models?: components["schemas"]["OtherModels"];
        };
        readonly User: {
            readonly user_id: string;
            readonly blocked: boolean;
            /** @description Runs that were allowed to start */
            readonly run_count: number;
            /** @description Spend reported this UTC day */
            readonly spend_today_usd: number;
            /**
             * Format: date-time
             * @description The newest run start
             */
            readonly last_seen_at: string | null;
        };
        readonly UserCost: {
            readonly user_id: string;
            /** @description Spend of the last 30 days */
            readonly total_usd: number;
            readonly run_count: number;
        };
        readonly UserName: {
            /** @description The end user */
            readonly user_id: string;
        };
        readonly Workspace: {
            /** Format: uuid */
            readonly id: string;
            readonly name: string;
            /** @description URL-safe identifier */
            readonly slug: string;
            readonly kill_switch: boolean;
            /** @description null: unlimited */
            readonly daily_budget_usd: number | null;
            /** @description The same cap for every user; null: unlimited */
            readonly user_daily_budget_usd: number | null;
            readonly max_concurrent_runs: number;
        };
    };
    responses: {
        /** @description Malformed, or not possible in the present state */
        readonly BadRequest: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is too large */
        readonly ContentTooLarge: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Not available on the plan of the workspace */
        readonly Forbidden: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A bug of the service */
        readonly InternalServerError: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Not found */
        readonly NotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Nothing has changed since the answer whose ETag is in If-None-Match */
        readonly NotModified: {
            headers: {
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The store does not answer, or the service is overloaded; see Retry-After */
        readonly ServiceUnavailable: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many failed sign-ins or registrations; see Retry-After */
        readonly TooManyRequests: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No valid credential of the kind that is needed */
        readonly Unauthorized: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A value is missing, of the wrong type or out of range */
        readonly UnprocessableContent: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not JSON */
        readonly UnsupportedMediaType: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly listRuns: {
        readonly parameters: {
            readonly query?: {
                readonly status?: components["schemas"]["RunStatus"];
                /** @description Only runs of this user */
                readonly user_id?: string;
                readonly page?: number;
                readonly per_page?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly items: readonly components["schemas"]["RunListItem"][];
                        /** @description All items that match, on whatever page */
                        readonly total: number;
                        readonly page: number;
                        readonly per_page: number;
                    };
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly startRun: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry safe: for 24 hours the same request with the same key gets the first answer and has no further effect; another request with it is refused with 400. */
                readonly "idempotency-key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["StartRun"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["StartedRun"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 413: components["responses"]["ContentTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly endRun: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry safe: for 24 hours the same request with the same key gets the first answer and has no further effect; another request with it is refused with 400. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["EndRun"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EndedRun"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["ContentTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly getRun: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Run"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotFound"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly createStep: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry safe: for 24 hours the same request with the same key gets the first answer and has no further effect; another request with it is refused with 400. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateStep"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CreatedStep"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["ContentTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly updateStep: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry safe: for 24 hours the same request with the same key gets the first answer and has no further effect; another request with it is refused with 400. */
                readonly "idempotency-key"?: string;
            };
            readonly path: {
                readonly run_id: string;
                readonly step_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateStep"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["UpdatedStep"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["ContentTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly listRunDecisions: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["ExplainedDecision"][];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotFound"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly listModelPrices: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["ModelPrice"][];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly putModelPrice: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Model identifier */
                readonly model: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PutModelPrice"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ModelPrice"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 413: components["responses"]["ContentTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly searchModelPricingCatalogue: {
        readonly parameters: {
            readonly query?: {
                readonly query?: string;
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["CataloguePrice"][];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly getWorkspace: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Workspace"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly updateWorkspace: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PatchWorkspace"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Workspace"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 413: components["responses"]["ContentTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly setKillSwitch: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SetKillSwitch"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Workspace"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 413: components["responses"]["ContentTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly listUsers: {
        readonly parameters: {
            readonly query?: {
                readonly blocked?: boolean;
                readonly page?: number;
                readonly per_page?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly items: readonly components["schemas"]["User"][];
                        /** @description All items that match, on whatever page */
                        readonly total: number;
                        readonly page: number;
                        readonly per_page: number;
                    };
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly blockUser: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly user_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["User"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 413: components["responses"]["ContentTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly blockUserByBody: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UserName"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["User"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 413: components["responses"]["ContentTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly unblockUser: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly user_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["User"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 413: components["responses"]["ContentTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly unblockUserByBody: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UserName"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["User"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 413: components["responses"]["ContentTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly getUsageSummary: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["UsageSummary"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly getDailyUsage: {
        readonly parameters: {
            readonly query?: {
                readonly days?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["DailyUsage"][];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly register: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Register"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Registered"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 413: components["responses"]["ContentTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly login: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Login"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Token"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 413: components["responses"]["ContentTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly getMe: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Me"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly changePassword: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ChangePassword"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Token"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 413: components["responses"]["ContentTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly listApiKeys: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly components["schemas"]["ApiKey"][];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly createApiKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes a retry safe: for 24 hours the same request with the same key gets the first answer and has no further effect; another request with it is refused with 400. */
                readonly "idempotency-key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateApiKey"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NewApiKey"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 413: components["responses"]["ContentTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly revokeApiKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Done */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["ContentTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly regenerateApiKeys: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NewApiKey"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 413: components["responses"]["ContentTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly getBilling: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Billing"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly setPlan: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SetPlan"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Billing"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 413: components["responses"]["ContentTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly getHealth: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Health"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly getMetrics: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/plain": string;
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly getOpenApi: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly [key: string]: unknown;
                    };
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
}
