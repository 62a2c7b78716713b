// Generated from openapi.json by npm run generated. Do not edit.

export interface paths {
    readonly "/v1/runs/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List runs, newest first
         * @description All filters can be combined. `from` and `to` are about the start of the run. `deny_reason` is why the run was not allowed to start, or why one of its steps was denied. Runs by status, by user or by time alone are counted exactly. Any other combination is applied to at most 10,000 runs that its most selective filter finds, and `total` counts the matches among them: the newest ones, or with `idle` those that started first. Of a user with up to 10,000 runs, every match is counted.
         */
        readonly get: operations["listRuns"];
        readonly put?: never;
        /**
         * Start a run
         * @description Evaluates all rules. A denied run is stored as BLOCKED and does not count towards any limit.
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
         * @description Frees the concurrency slot of the run. Repeating the request with the same status returns the first response.
         */
        readonly post: operations["endRun"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/runs/{run_id}/heartbeat": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Renew the lease of a run
         * @description For an agent in a long call; every other write on the run renews the lease, too. The decision is what a new step would get now, so that the kill switch or a stop reaches the agent.
         */
        readonly post: operations["sendHeartbeat"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/runs/{run_id}/stop": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Stop a run
         * @description Ends the run as FAILED, with `end_reason` STOPPED. Its agent learns it from its next request. Repeating the request returns the first response; a run that ended otherwise returns 400.
         */
        readonly post: operations["stopRun"];
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
        /** Get a run with its steps */
        readonly get: operations["getRun"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/search": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Find runs, a step and users
         * @description At most 8 of each: runs whose id begins with the text (at least 4 characters), the step with this id, if its run is among the 10000 that had started last before it, and users whose id begins with the text.
         */
        readonly get: operations["search"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/runs/export": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Export runs, newest first
         * @description All runs that match, with the fields of the list: as CSV, or as JSON with one run per line. `from` and `to` are about the start of the run. `deny_reason` is why the run was not allowed to start, or why one of its steps was denied. In CSV, a text that a spreadsheet would take for a formula begins with an apostrophe.
         */
        readonly get: operations["exportRuns"];
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
         * Create a step
         * @description Call it before the step is executed. Evaluates the step rules. A denied step is stored as BLOCKED and does not end its run.
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
         * Update a step with its result
         * @description Computes the cost of the tokens and adds it to the spend of today. Repeating the same update returns the first response and counts nothing twice. An update is accepted after the run has ended, so that no cost is lost.
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
         * @description Returns the decisions in the order in which they were made, with the limit and the value of each rule.
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
        /** List active prices */
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
         * @description Returns models whose name or provider contains every word of the query. The list is part of the service and shows prices of the date in as_of.
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
    readonly "/v1/model-pricing-catalogue/lookup": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Look up the list prices of models by name
         * @description Returns what the list has for each name, in the order of the names. A name may have a date (gpt-4o-2024-08-06) or a provider (openai/gpt-4o). A name that is not certain has no price.
         */
        readonly get: operations["lookUpModelPrices"];
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
        /** Get the workspace */
        readonly get: operations["getWorkspace"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Update the workspace
         * @description Changes only the fields that are present. If the plan does not include one of them, no field is changed.
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
         * @description While it is on, every run start and step creation is denied. Turning it on requires the plan Scale or higher.
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
        /**
         * List users
         * @description Without parameters, most recently seen first. `search` finds users whose id begins with it, in the order of their ids, the first 10,000. `sort=spend` lists users with runs or usage in the last 30 UTC days, most expensive first, the first 1,000; `search` and `blocked` then select among these.
         */
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
         * Block a user
         * @description Every run start and step of the user is denied. A user without runs can be blocked.
         */
        readonly post: operations["blockUser"];
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
         * Unblock a user
         * @description Has no effect if the user is not blocked.
         */
        readonly post: operations["unblockUser"];
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
         * Block a user, with the name in the body
         * @description Every run start and step of the user is denied. A user without runs can be blocked. Use this form for users named `.` or `..`, which clients remove from a path.
         */
        readonly post: operations["blockUserByBody"];
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
         * Unblock a user, with the name in the body
         * @description Has no effect if the user is not blocked. Use this form for users named `.` or `..`, which clients remove from a path.
         */
        readonly post: operations["unblockUserByBody"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/users/{user_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get a user with spend by day, models and denials
         * @description Days are UTC days, including today. Spend belongs to the day on which it was reported. A user is a name: one that was never seen has used nothing.
         */
        readonly get: operations["getUser"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/models/{model}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get spend, tokens, failures and durations of a model
         * @description The model is everything after /v1/models/, plain or percent-encoded; one that was never called has used nothing. Days are UTC days, including today. A call belongs to the day on which it was reported.
         */
        readonly get: operations["getModel"];
        readonly put?: never;
        readonly post?: never;
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
         * Get spend and tokens
         * @description Days are UTC days, including today. Spend belongs to the day on which it was reported.
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
         * Get spend, tokens and denials per day
         * @description Returns UTC days, oldest first, including today and days without usage.
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
    readonly "/v1/usage/guardrail-effects": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Compare limits with recent runs
         * @description Counts the runs of the last days that would have reached a limit, before it is set. Days are UTC days, including today. The parameters are named like the settings of the workspace.
         */
        readonly get: operations["getGuardrailEffects"];
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
        /**
         * Create an account with its workspace and first API key
         * @description With an invitation, the account joins an existing workspace instead.
         */
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
        /** Get the signed-in account */
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
         * @description Returns a new token. Every older token stops working.
         */
        readonly post: operations["changePassword"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/auth/reset-password": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Set a new password with a link from the operator
         * @description The operator makes the link with `guarded-runs reset-password`; it is valid for an hour and one use. Returns a new token. Every older token stops working.
         */
        readonly post: operations["resetPassword"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/auth/logout-everywhere": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * End all sessions of the account
         * @description Every token of the account stops working with the next request, including the one of this request.
         */
        readonly post: operations["logOutEverywhere"];
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
        /**
         * Revoke an API key
         * @description The key stops working at once. Revoking it again has no effect.
         */
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
        /**
         * Replace all API keys with a new one
         * @description Creates one API key and revokes all others of the workspace at once.
         */
        readonly post: operations["regenerateApiKeys"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/members/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List members */
        readonly get: operations["listMembers"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/members/{member_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * Remove a member
         * @description Deletes the account: its next request fails. API keys that the member has made remain, open invitations do not. The last owner must stay.
         */
        readonly delete: operations["removeMember"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change the role of a member
         * @description It applies to the next request of the member. The last owner must stay an owner.
         */
        readonly patch: operations["changeRole"];
        readonly trace?: never;
    };
    readonly "/v1/members/invitations": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List open invitations */
        readonly get: operations["listInvitations"];
        readonly put?: never;
        /**
         * Invite a member
         * @description Returns a link, which you pass on: the service sends no e-mail. It is valid for seven days and one registration with this e-mail. A new invitation of the same e-mail replaces the earlier one.
         */
        readonly post: operations["inviteMember"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/members/invitations/{invitation_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /** Revoke an invitation */
        readonly delete: operations["revokeInvitation"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/audit-log/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List changes, newest first
         * @description The total counts up to 10,000 entries, which have pages; find older ones with `to`. Entries are kept for 400 days, unless the operator has set another time.
         */
        readonly get: operations["listAuditLog"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Follow changes
         * @description Server-sent events. `ready` says that every change from now on is told; `change` has `{"topics": […]}`, where `runs` stands for runs, steps and usage, and `settings` for everything that has an entry in the audit log. Nothing else is told: read again what you show. At most one `change` a second. If there are too many streams, the response is 503.
         */
        readonly get: operations["streamEvents"];
        readonly put?: never;
        readonly post?: never;
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
        /** Get the plan and its usage */
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
         * @description A change takes effect at once. A downgrade resets settings that the new plan does not include. Returns 403 if the service is configured with PLAN_CHANGES=operator.
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
        /** Check the service and its database */
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
        /** Get Prometheus metrics */
        readonly get: operations["getMetrics"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/gateway": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Where the gateway is */
        readonly get: operations["getGateway"];
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
        /** Get this document */
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
            /** @description The public part of the key: lg_<prefix>_<secret> */
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
             * @description Exact to the minute; null if never used
             */
            readonly last_used_at: string | null;
            readonly scope: components["schemas"]["KeyScope"];
            /** @description The end user whose runs the key is limited to; null: all */
            readonly user_id: string | null;
            /** @description The e-mail of a member, or "key" and the label of a key; null if unknown */
            readonly created_by: string | null;
        };
        /** @enum {string} */
        readonly AuditAction: "account.registered" | "account.signed_in" | "account.password_changed" | "account.password_reset" | "account.sessions_ended" | "api_key.created" | "api_key.revoked" | "api_keys.regenerated" | "invitation.revoked" | "kill_switch.turned_on" | "kill_switch.turned_off" | "member.invited" | "member.joined" | "member.removed" | "member.role_changed" | "plan.changed" | "price.set" | "run.stopped" | "user.blocked" | "user.unblocked" | "workspace.updated";
        readonly AuditEntry: {
            /** Format: uuid */
            readonly id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly created_at: string;
            readonly actor: {
                /**
                 * @description operator: the command line of the service; system: the service itself
                 * @enum {string}
                 */
                readonly type: "account" | "api_key" | "operator" | "system";
                /**
                 * Format: uuid
                 * @description null for the operator and the service
                 */
                readonly id: string | null;
                /** @description The e-mail of an account or the label of a key, as it was then */
                readonly label: string;
            };
            readonly action: components["schemas"]["AuditAction"];
            /** @description The id or name of what was changed; null: the workspace */
            readonly target: string | null;
            /** @description null if there was nothing before */
            readonly before: {
                readonly [key: string]: unknown;
            } | null;
            /** @description null if there is nothing to show */
            readonly after: {
                readonly [key: string]: unknown;
            } | null;
            /** @description X-Request-Id of the response */
            readonly request_id: string | null;
            /** @description Of the client, or of the proxy before it: see TRUST_PROXY */
            readonly ip_address: string | null;
        };
        readonly Billing: {
            readonly plan: components["schemas"]["Plan"];
            /** @description Runs per calendar month; null: unlimited */
            readonly monthly_run_limit: number | null;
            /** @description Runs this calendar month */
            readonly monthly_run_count: number;
            readonly max_concurrent_runs: number;
            readonly features: readonly components["schemas"]["Feature"][];
            /** @description All plans, lowest first */
            readonly plans: readonly {
                readonly plan: components["schemas"]["Plan"];
                readonly name: string;
                /** @description Runs per calendar month; null: unlimited */
                readonly monthly_run_limit: number | null;
                readonly features: readonly components["schemas"]["Feature"][];
            }[];
            /**
             * @description operator: only the operator of the service changes plans
             * @enum {string}
             */
            readonly plan_changes: "self-service" | "operator";
        };
        readonly BlockUser: {
            /** @description Why the user is blocked; null: no note; absent: a user who is blocked keeps the note */
            readonly note?: string | null;
        };
        readonly BlockUserByName: {
            /** @description The end user */
            readonly user_id: string;
            /** @description Why the user is blocked; null: no note; absent: a user who is blocked keeps the note */
            readonly note?: string | null;
        };
        readonly CatalogueMatch: {
            /** @description The name that was looked up */
            readonly model: string;
            /** @description Of the provider that the name tells, or on which all providers of the model agree; null if there is none */
            readonly price: {
                /** @description The provider that charges this price */
                readonly provider: string;
                /** @description The model identifier of the provider */
                readonly model: string;
                /** @description Display name */
                readonly name: string | null;
                /** @description USD per prompt token */
                readonly input_cost_per_token: number;
                /** @description USD per completion token */
                readonly output_cost_per_token: number;
                /** @description USD per prompt token that is read from the cache of the provider; null: the list has none */
                readonly cache_read_cost_per_token: number | null;
                /** @description USD per prompt token that is written to the cache of the provider; null: the list has none */
                readonly cache_write_cost_per_token: number | null;
                /** @description Whether long prompts, certain times of day or longer caching have a different price; this entry is the base price */
                readonly has_other_prices: boolean;
                /**
                 * Format: date
                 * @description The date of the price list
                 */
                readonly as_of: string;
            } | null;
            /** @description Different prices of other providers for a model of this name, at most 20 */
            readonly other_prices: readonly components["schemas"]["CataloguePrice"][];
        };
        readonly CataloguePrice: {
            /** @description The provider that charges this price */
            readonly provider: string;
            /** @description The model identifier of the provider */
            readonly model: string;
            /** @description Display name */
            readonly name: string | null;
            /** @description USD per prompt token */
            readonly input_cost_per_token: number;
            /** @description USD per completion token */
            readonly output_cost_per_token: number;
            /** @description USD per prompt token that is read from the cache of the provider; null: the list has none */
            readonly cache_read_cost_per_token: number | null;
            /** @description USD per prompt token that is written to the cache of the provider; null: the list has none */
            readonly cache_write_cost_per_token: number | null;
            /** @description Whether long prompts, certain times of day or longer caching have a different price; this entry is the base price */
            readonly has_other_prices: boolean;
            /**
             * Format: date
             * @description The date of the price list
             */
            readonly as_of: string;
        };
        readonly ChangePassword: {
            readonly current_password: string;
            readonly new_password: string;
        };
        readonly ChangeRole: {
            readonly role: components["schemas"]["Role"];
        };
        readonly CostBreakdown: {
            /** @description Spend reported in the period */
            readonly total_usd: number;
            /** @description All tokens, with or without a price */
            readonly total_tokens: number;
            readonly run_count: number;
        };
        /** @description What each part of the tokens cost, not rounded; null if the cost does not come from a price */
        readonly CostParts: {
            /** @description Prompt tokens that are in no other part */
            readonly input_usd: number;
            /** @description Prompt tokens read from the cache */
            readonly cache_read_usd: number;
            /** @description Prompt tokens written to the cache */
            readonly cache_write_usd: number;
            /** @description Completion tokens */
            readonly output_usd: number;
        } | null;
        readonly CreateApiKey: {
            /** @description Helps to tell keys apart */
            readonly label?: string | null;
            readonly scope?: components["schemas"]["KeyScope"];
            /** @description Pins a key with the scope agent to an end user */
            readonly user_id?: string | null;
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
            /** @description What the step costs at most: held until it is reported */
            readonly estimated_cost_usd?: number | null;
            /** @description Instead of the cost, with `max_completion_tokens`: priced with the price of the model */
            readonly estimated_prompt_tokens?: number | null;
            /** @description See `estimated_prompt_tokens` */
            readonly max_completion_tokens?: number | null;
            /** @description Updates of steps of this run, applied in order before everything else: all, or none if one is refused */
            readonly reports?: readonly components["schemas"]["StepReport"][];
            /** @description Whether the response to a denial has `denied_by` */
            readonly explain?: boolean;
        };
        readonly CreatedStep: {
            /** Format: uuid */
            readonly id: string;
            /** @enum {string} */
            readonly status: "ALLOWED" | "BLOCKED";
            readonly decision: components["schemas"]["Decision"];
            /** @description Only if the request has an estimate; null if the model has no price */
            readonly hold_usd?: number | null;
            /** @description Only if the request has an estimate; null without a limit */
            readonly remaining_usd?: number | null;
            /** @description Only if the request has `reports`: the response to each */
            readonly reported?: readonly components["schemas"]["UpdatedStep"][];
            /** @description Only of a denial, if the request has `explain`; null if the run has ended */
            readonly denied_by?: {
                readonly rule: components["schemas"]["RuleName"];
                /** @description null if no limit was set or the rule is a switch */
                readonly limit: number | null;
                /** @description The value that was compared: USD, a count, or the state of a switch */
                readonly value: number | boolean;
                /**
                 * Format: date-time
                 * @description When the value is reset to zero; null if it is not
                 */
                readonly resets_at: string | null;
            } | null;
        };
        readonly DailyModelCost: {
            readonly model: string;
            /** @description Spend of the day */
            readonly total_usd: number;
            /** @description Input tokens */
            readonly prompt_tokens: number;
            /** @description Output tokens */
            readonly completion_tokens: number;
            /** @description Tokens without a price at the time of the report; not part of total_usd */
            readonly unpriced_tokens: number;
            /** @description Input tokens read from the cache of the provider */
            readonly cache_read_tokens: number;
            /** @description Input tokens written to the cache of the provider */
            readonly cache_write_tokens: number;
            /** @description Output tokens used for reasoning */
            readonly reasoning_tokens: number;
            /** @description What the cache saved against the input price; negative if it cost more */
            readonly cache_saved_usd: number;
        };
        readonly DailyUsage: {
            /**
             * Format: date
             * @description UTC day
             */
            readonly day: string;
            /** @description Spend of the day */
            readonly total_usd: number;
            /** @description All tokens, with or without a price */
            readonly total_tokens: number;
            /** @description Tokens without a price at the time of the report */
            readonly unpriced_tokens: number;
            /** @description Runs that were allowed to start */
            readonly run_count: number;
            /** @description At most 50 models, most expensive first */
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
             * @description null if allowed
             * @enum {string|null}
             */
            readonly reason: "KILL_SWITCH_ACTIVE" | "USER_BLOCKED" | "WORKSPACE_DAILY_BUDGET_EXCEEDED" | "USER_DAILY_BUDGET_EXCEEDED" | "MONTHLY_RUN_LIMIT_EXCEEDED" | "MAX_CONCURRENT_RUNS_EXCEEDED" | "RUN_COST_LIMIT_EXCEEDED" | "RUN_STEP_LIMIT_EXCEEDED" | "RUN_DURATION_LIMIT_EXCEEDED" | "LOOP_DETECTED" | "HOLD_REQUIRED" | "MODEL_NOT_PRICED" | "RUN_ALREADY_ENDED" | null;
        };
        /** @enum {string} */
        readonly DenyReason: "KILL_SWITCH_ACTIVE" | "USER_BLOCKED" | "WORKSPACE_DAILY_BUDGET_EXCEEDED" | "USER_DAILY_BUDGET_EXCEEDED" | "MONTHLY_RUN_LIMIT_EXCEEDED" | "MAX_CONCURRENT_RUNS_EXCEEDED" | "RUN_COST_LIMIT_EXCEEDED" | "RUN_STEP_LIMIT_EXCEEDED" | "RUN_DURATION_LIMIT_EXCEEDED" | "LOOP_DETECTED" | "HOLD_REQUIRED" | "MODEL_NOT_PRICED" | "RUN_ALREADY_ENDED";
        /** @enum {string} */
        readonly EndReason: "LEASE_EXPIRED" | "STOPPED";
        readonly EndRun: {
            readonly status: components["schemas"]["EndStatus"];
            /** @description Updates of steps of this run, applied in order before everything else: all, or none if one is refused */
            readonly reports?: readonly components["schemas"]["StepReport"][];
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
            /** @description Only if the request has `reports`: the response to each */
            readonly reported?: readonly components["schemas"]["UpdatedStep"][];
        };
        /** @description The body of every error response */
        readonly Error: {
            /** @description What is wrong, and where */
            readonly detail: string;
        };
        readonly ExplainedDecision: {
            /**
             * @description What was decided: a run start or a step
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
            readonly reason: "KILL_SWITCH_ACTIVE" | "USER_BLOCKED" | "WORKSPACE_DAILY_BUDGET_EXCEEDED" | "USER_DAILY_BUDGET_EXCEEDED" | "MONTHLY_RUN_LIMIT_EXCEEDED" | "MAX_CONCURRENT_RUNS_EXCEEDED" | "RUN_COST_LIMIT_EXCEEDED" | "RUN_STEP_LIMIT_EXCEEDED" | "RUN_DURATION_LIMIT_EXCEEDED" | "LOOP_DETECTED" | "HOLD_REQUIRED" | "MODEL_NOT_PRICED" | "RUN_ALREADY_ENDED" | null;
            /** @description By rule name; rules after the first DENY are absent */
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
        readonly FoundRun: {
            /** Format: uuid */
            readonly id: string;
            readonly user_id: string;
            readonly status: components["schemas"]["RunStatus"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly started_at: string;
        };
        readonly FoundUser: {
            readonly user_id: string;
        };
        readonly Gateway: {
            /** @description Empty if the gateway is off */
            readonly providers: readonly components["schemas"]["GatewayProvider"][];
        };
        readonly GatewayProvider: {
            readonly name: string;
            /** @description Where its API is; clients append /v1/… */
            readonly path: string;
            /** @description Whether the service has the key of the provider, so that clients send theirs of Guarded Runs in its place */
            readonly has_key: boolean;
        };
        readonly GuardrailEffects: {
            /** @description Runs that were allowed to start in these days, of the newest 10,000 runs of the workspace */
            readonly runs: number;
            /** @description Whether older runs of these days were not looked at */
            readonly has_more_runs: boolean;
            /** @description Runs that cost as much: their next step would be denied; null without `max_cost_usd` */
            readonly runs_at_max_cost: number | null;
            /** @description Runs with more allowed steps; null without `max_steps` */
            readonly runs_over_max_steps: number | null;
            /** @description Runs that lasted, or have been running, as long; null without `max_duration_seconds` */
            readonly runs_at_max_duration: number | null;
            /** @description Runs that their lease ended */
            readonly expired_runs: number;
            /** @description Running runs with a lease and without an accepted write for as long; null without `run_lease_seconds` */
            readonly silent_runs: number | null;
            /** @description MODEL_CALL steps that were allowed, of the newest runs with 10,000 steps together at most */
            readonly model_calls: number;
            /** @description Those of them without a hold */
            readonly model_calls_without_hold: number;
            /** @description Whether there are more steps than were looked at */
            readonly has_more_steps: boolean;
        };
        readonly Health: {
            /** @description ok */
            readonly status: string;
            readonly version: string;
        };
        readonly Heartbeat: {
            /** Format: uuid */
            readonly id: string;
            readonly status: components["schemas"]["RunStatus"];
            /**
             * Format: date-time
             * @description null if the run has no lease, or has ended
             */
            readonly lease_expires_at: string | null;
            readonly decision: components["schemas"]["Decision"];
        };
        readonly Invitation: {
            /** Format: uuid */
            readonly id: string;
            readonly email: string;
            readonly role: components["schemas"]["Role"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly expires_at: string;
        };
        readonly InviteMember: {
            /** @description Not case-sensitive */
            readonly email: string;
            readonly role: components["schemas"]["Role"];
        };
        /**
         * @description admin: everything that a key may do; agent: writes on runs and steps, and reads of runs and prices; read: only reads
         * @enum {string}
         */
        readonly KeyScope: "admin" | "agent" | "read";
        readonly Login: {
            readonly email: string;
            readonly password: string;
        };
        readonly Me: {
            /** Format: uuid */
            readonly id: string;
            readonly email: string;
            readonly name: string | null;
            readonly role: components["schemas"]["Role"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly created_at: string;
            /** Format: uuid */
            readonly workspace_id: string;
            readonly plan: components["schemas"]["Plan"];
        };
        readonly Member: {
            /** Format: uuid */
            readonly id: string;
            readonly email: string;
            readonly name: string | null;
            readonly role: components["schemas"]["Role"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly created_at: string;
        };
        readonly ModelCost: {
            readonly model: string;
            /** @description Spend of the last 30 days */
            readonly total_usd: number;
            /** @description Input tokens */
            readonly prompt_tokens: number;
            /** @description Output tokens */
            readonly completion_tokens: number;
            /** @description Input tokens read from the cache of the provider */
            readonly cache_read_tokens: number;
            /** @description Input tokens written to the cache of the provider */
            readonly cache_write_tokens: number;
            /** @description Output tokens used for reasoning */
            readonly reasoning_tokens: number;
            /** @description What the cache saved against the input price; negative if it cost more */
            readonly cache_saved_usd: number;
        };
        readonly ModelDay: {
            /**
             * Format: date
             * @description UTC day
             */
            readonly day: string;
            /** @description Spend */
            readonly total_usd: number;
            /** @description Input tokens */
            readonly prompt_tokens: number;
            /** @description Output tokens */
            readonly completion_tokens: number;
            /** @description Tokens without a price at the time of the report; not part of total_usd */
            readonly unpriced_tokens: number;
            /** @description Input tokens read from the cache of the provider */
            readonly cache_read_tokens: number;
            /** @description Input tokens written to the cache of the provider */
            readonly cache_write_tokens: number;
            /** @description Output tokens used for reasoning */
            readonly reasoning_tokens: number;
            /** @description What the cache saved against the input price; negative if it cost more */
            readonly cache_saved_usd: number;
            /** @description Calls that were reported as COMPLETED */
            readonly completed_count: number;
            /** @description Calls that were reported as FAILED */
            readonly failed_count: number;
            /** @description failed_count of both; null without calls */
            readonly error_rate: number | null;
            /** @description The duration that 50 % of the completed calls do not exceed, within 12.5 %; null without a duration */
            readonly p50_duration_ms: number | null;
            /** @description The duration that 95 % of the completed calls do not exceed, within 12.5 %; null without a duration */
            readonly p95_duration_ms: number | null;
        };
        readonly ModelDetail: {
            readonly model: string;
            /** @description Spend */
            readonly total_usd: number;
            /** @description Input tokens */
            readonly prompt_tokens: number;
            /** @description Output tokens */
            readonly completion_tokens: number;
            /** @description Tokens without a price at the time of the report; not part of total_usd */
            readonly unpriced_tokens: number;
            /** @description Input tokens read from the cache of the provider */
            readonly cache_read_tokens: number;
            /** @description Input tokens written to the cache of the provider */
            readonly cache_write_tokens: number;
            /** @description Output tokens used for reasoning */
            readonly reasoning_tokens: number;
            /** @description What the cache saved against the input price; negative if it cost more */
            readonly cache_saved_usd: number;
            /** @description Calls that were reported as COMPLETED */
            readonly completed_count: number;
            /** @description Calls that were reported as FAILED */
            readonly failed_count: number;
            /** @description failed_count of both; null without calls */
            readonly error_rate: number | null;
            /** @description The duration that 50 % of the completed calls do not exceed, within 12.5 %; null without a duration */
            readonly p50_duration_ms: number | null;
            /** @description The duration that 95 % of the completed calls do not exceed, within 12.5 %; null without a duration */
            readonly p95_duration_ms: number | null;
            /** @description Oldest first, including today and days without usage */
            readonly by_day: readonly components["schemas"]["ModelDay"][];
        };
        readonly ModelPrice: {
            /** Format: uuid */
            readonly id: string;
            /** @description Must equal the model of a step exactly */
            readonly model: string;
            /** @description USD per prompt token */
            readonly input_cost_per_token: number;
            /** @description USD per completion token */
            readonly output_cost_per_token: number;
            readonly is_active: boolean;
            /** @description USD per prompt token read from the cache of the provider; null: the input price */
            readonly cache_read_cost_per_token: number | null;
            /** @description USD per prompt token written to the cache of the provider; null: the input price */
            readonly cache_write_cost_per_token: number | null;
        };
        readonly NewApiKey: {
            /** Format: uuid */
            readonly id: string;
            /** @description The public part of the key: lg_<prefix>_<secret> */
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
             * @description Exact to the minute; null if never used
             */
            readonly last_used_at: string | null;
            readonly scope: components["schemas"]["KeyScope"];
            /** @description The end user whose runs the key is limited to; null: all */
            readonly user_id: string | null;
            /** @description The e-mail of a member, or "key" and the label of a key; null if unknown */
            readonly created_by: string | null;
            /** @description Shown only once */
            readonly key: string;
        };
        readonly NewInvitation: {
            /** Format: uuid */
            readonly id: string;
            readonly email: string;
            readonly role: components["schemas"]["Role"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly expires_at: string;
            /** @description For `invitation` of a registration. Shown only once */
            readonly token: string;
            /** @description The page of the dashboard that registers the member. Shown only once */
            readonly url: string;
        };
        /** @description The sum of all models that by_model does not list; absent if it lists every model */
        readonly OtherModels: {
            readonly model_count: number;
            /** @description Spend of these models */
            readonly total_usd: number;
            /** @description Input tokens */
            readonly prompt_tokens: number;
            /** @description Output tokens */
            readonly completion_tokens: number;
            /** @description Tokens without a price at the time of the report */
            readonly unpriced_tokens: number;
            /** @description Input tokens read from the cache of the provider */
            readonly cache_read_tokens: number;
            /** @description Input tokens written to the cache of the provider */
            readonly cache_write_tokens: number;
            /** @description Output tokens used for reasoning */
            readonly reasoning_tokens: number;
            /** @description What the cache saved against the input price; negative if it cost more */
            readonly cache_saved_usd: number;
        };
        /** @description The sum of all models that by_model does not list; absent if it lists every model */
        readonly OtherModelsOfUser: {
            readonly model_count: number;
            /** @description Spend of these days */
            readonly total_usd: number;
            /** @description Input tokens */
            readonly prompt_tokens: number;
            /** @description Output tokens */
            readonly completion_tokens: number;
            /** @description Tokens without a price at the time of the report; not part of total_usd */
            readonly unpriced_tokens: number;
            /** @description Steps with tokens or a cost */
            readonly call_count: number;
        };
        /** @enum {string} */
        readonly Outcome: "ALLOW" | "DENY";
        /** @description For runs that start from now on; only the fields present change */
        readonly PatchRunLimits: {
            /** @description Cost of all steps; null: no limit */
            readonly max_cost_usd?: number | null;
            /** @description Steps, without denied ones; null: no limit */
            readonly max_steps?: number | null;
            /** @description Time since the start; null: no limit */
            readonly max_duration_seconds?: number | null;
            /** @description Equal steps among the last 20, by type, model or tool, and input_data; null: no limit */
            readonly max_repeats?: number | null;
            /** @description Tools whose calls are never repeats, because they poll */
            readonly repeat_exempt_tools?: readonly string[];
        };
        readonly PatchWorkspace: {
            /** @description null: no change */
            readonly name?: string | null;
            /** @description null removes the limit */
            readonly daily_budget_usd?: number | null;
            /** @description Pro or higher; null removes the limit */
            readonly user_daily_budget_usd?: number | null;
            /** @description Pro or higher; null: no change */
            readonly max_concurrent_runs?: number | null;
            /** @description For runs that start from now on; null: runs never expire */
            readonly run_lease_seconds?: number | null;
            readonly run_limits?: components["schemas"]["PatchRunLimits"];
            /** @description Deny model calls without an estimate or a price */
            readonly require_holds?: boolean;
            /** @description Deny calls of models without an active price */
            readonly deny_unpriced_models?: boolean;
        };
        /** @description Any JSON object; stored and returned unchanged */
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
            /** @description USD per prompt token read from the cache of the provider, at most 18 decimal places; null or absent: the input price */
            readonly cache_read_cost_per_token?: number | null;
            /** @description USD per prompt token written to the cache of the provider, at most 18 decimal places; null or absent: the input price */
            readonly cache_write_cost_per_token?: number | null;
        };
        readonly Register: {
            /** @description Not case-sensitive */
            readonly email: string;
            readonly password: string;
            /** @description Your name */
            readonly name?: string | null;
            /** @description Display name of the new workspace */
            readonly workspace_name?: string | null;
            /** @description The token of an invitation: the account joins that workspace, and gets no API key */
            readonly invitation?: string | null;
        };
        readonly Registered: {
            readonly access_token: string;
            /** @enum {string} */
            readonly token_type: "bearer";
            /** @description Shown only once; null for a member who was invited */
            readonly api_key: string | null;
            readonly user: {
                /** Format: uuid */
                readonly id: string;
                readonly email: string;
                readonly name: string | null;
                readonly role: components["schemas"]["Role"];
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC
                 */
                readonly created_at: string;
            };
            readonly workspace: components["schemas"]["Workspace"];
        };
        readonly ResetPassword: {
            /** @description The part of the link after # */
            readonly token: string;
            readonly new_password: string;
        };
        /**
         * @description owner: everything. admin: everything but members and billing. viewer: only reads.
         * @enum {string}
         */
        readonly Role: "owner" | "admin" | "viewer";
        readonly RuleEvaluation: {
            readonly rule: components["schemas"]["RuleName"];
            /** @description null if no limit was set or the rule is a switch */
            readonly limit: number | null;
            /** @description The value that was compared: USD, a count, or the state of a switch */
            readonly value: number | boolean;
            /**
             * Format: date-time
             * @description When the value is reset to zero; null if it is not
             */
            readonly resets_at: string | null;
            readonly result: components["schemas"]["RuleResult"];
            /** @description Open holds, in USD; absent without any */
            readonly held?: number;
            /** @description What the step would hold, in USD; null without an estimate */
            readonly requested?: number | null;
        };
        /** @enum {string} */
        readonly RuleName: "kill_switch" | "user_blocked" | "workspace_daily_budget" | "user_daily_budget" | "monthly_run_limit" | "max_concurrent_runs" | "run_cost_limit" | "run_step_limit" | "run_duration_limit" | "run_repeat_limit" | "hold_required" | "model_price";
        /** @enum {string} */
        readonly RuleResult: "PASS" | "DENY";
        readonly Run: {
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
            /** @description Prompt and completion tokens of all steps */
            readonly total_tokens: number;
            /** @description Cost of all priced steps */
            readonly total_cost_usd: number;
            /**
             * @description Why the service ended the run; null if it did not
             * @enum {string|null}
             */
            readonly end_reason: "LEASE_EXPIRED" | "STOPPED" | null;
            /**
             * Format: date-time
             * @description When the run ends unless a request renews its lease; null if it has none, or was ended before
             */
            readonly lease_expires_at: string | null;
            readonly metadata: components["schemas"]["Payload"];
            /** @description For a running run, the time until now */
            readonly duration_ms: number;
            readonly limits: components["schemas"]["RunLimits"];
            /** @description Open holds of its steps */
            readonly held_usd: number;
            readonly steps: readonly components["schemas"]["Step"][];
        };
        readonly RunLimits: {
            /** @description null: no limit */
            readonly max_cost_usd: number | null;
            /** @description null: no limit */
            readonly max_steps: number | null;
            /** @description null: no limit */
            readonly max_duration_seconds: number | null;
            /** @description null: no limit */
            readonly max_repeats: number | null;
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
            /** @description Prompt and completion tokens of all steps */
            readonly total_tokens: number;
            /** @description Cost of all priced steps */
            readonly total_cost_usd: number;
            /**
             * @description Why the service ended the run; null if it did not
             * @enum {string|null}
             */
            readonly end_reason: "LEASE_EXPIRED" | "STOPPED" | null;
            /**
             * Format: date-time
             * @description When the run ends unless a request renews its lease; null if it has none, or was ended before
             */
            readonly lease_expires_at: string | null;
            readonly step_count: number;
            /**
             * @description Why the run was not allowed to start; null if it was
             * @enum {string|null}
             */
            readonly deny_reason: "KILL_SWITCH_ACTIVE" | "USER_BLOCKED" | "WORKSPACE_DAILY_BUDGET_EXCEEDED" | "USER_DAILY_BUDGET_EXCEEDED" | "MONTHLY_RUN_LIMIT_EXCEEDED" | "MAX_CONCURRENT_RUNS_EXCEEDED" | "RUN_COST_LIMIT_EXCEEDED" | "RUN_STEP_LIMIT_EXCEEDED" | "RUN_DURATION_LIMIT_EXCEEDED" | "LOOP_DETECTED" | "HOLD_REQUIRED" | "MODEL_NOT_PRICED" | "RUN_ALREADY_ENDED" | null;
            /** @description Steps that were denied */
            readonly denied_step_count: number;
        };
        /** @enum {string} */
        readonly RunStatus: "RUNNING" | "COMPLETED" | "FAILED" | "BLOCKED";
        readonly SearchResult: {
            readonly runs: readonly components["schemas"]["FoundRun"][];
            readonly step: {
                /** Format: uuid */
                readonly id: string;
                /** Format: uuid */
                readonly run_id: string;
            } | null;
            readonly users: readonly components["schemas"]["FoundUser"][];
        };
        readonly SetKillSwitch: {
            readonly active: boolean;
        };
        readonly SetPlan: {
            readonly plan: components["schemas"]["Plan"];
        };
        readonly StartRun: {
            /** @description The end user that the agent works for */
            readonly user_id: string;
            readonly metadata?: components["schemas"]["Payload"];
            /** @description Instead of `run_lease_seconds` of the workspace; null: as the workspace has set */
            readonly lease_seconds?: number | null;
            readonly limits?: components["schemas"]["StartRunLimits"];
            /** @description Whether the response to a denial has `denied_by` */
            readonly explain?: boolean;
        };
        /** @description Only tighten `run_limits` of the workspace: the smaller value applies */
        readonly StartRunLimits: {
            /** @description Cost of all steps; null: no limit */
            readonly max_cost_usd?: number | null;
            /** @description Steps, without denied ones; null: no limit */
            readonly max_steps?: number | null;
            /** @description Time since the start; null: no limit */
            readonly max_duration_seconds?: number | null;
            /** @description Equal steps among the last 20, by type, model or tool, and input_data; null: no limit */
            readonly max_repeats?: number | null;
        };
        readonly StartedRun: {
            /** Format: uuid */
            readonly id: string;
            /** @enum {string} */
            readonly status: "RUNNING" | "BLOCKED";
            readonly decision: components["schemas"]["Decision"];
            /**
             * Format: date-time
             * @description Only if the request has `lease_seconds`
             */
            readonly lease_expires_at?: string | null;
            /** @description Only of a denial, if the request has `explain`; null if the run has ended */
            readonly denied_by?: {
                readonly rule: components["schemas"]["RuleName"];
                /** @description null if no limit was set or the rule is a switch */
                readonly limit: number | null;
                /** @description The value that was compared: USD, a count, or the state of a switch */
                readonly value: number | boolean;
                /**
                 * Format: date-time
                 * @description When the value is reset to zero; null if it is not
                 */
                readonly resets_at: string | null;
            } | null;
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
            /** @description null if the model had no active price */
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
            /** @description null: nothing */
            readonly hold_usd: number | null;
            /**
             * @description price: tokens and a price; reported: stated by the report; estimated: the hold, because there was no report, or tokens that the client estimated; null without cost
             * @enum {string|null}
             */
            readonly cost_source: "price" | "reported" | "estimated" | null;
            /** @description Prompt tokens read from the cache of the provider */
            readonly cache_read_tokens: number | null;
            /** @description Prompt tokens written to the cache of the provider */
            readonly cache_write_tokens: number | null;
            /** @description Completion tokens used for reasoning */
            readonly reasoning_tokens: number | null;
            readonly cost_parts: components["schemas"]["CostParts"];
            /** @description Why the step failed, as reported */
            readonly error: string | null;
        };
        readonly StepReport: {
            readonly step_id: string;
            readonly status: components["schemas"]["EndStatus"];
            /** @description Milliseconds */
            readonly duration_ms?: number | null;
            /** @description Input tokens */
            readonly prompt_tokens?: number | null;
            /** @description Output tokens */
            readonly completion_tokens?: number | null;
            /** @description Prompt tokens that were read from the cache of the provider */
            readonly cache_read_tokens?: number | null;
            /** @description Prompt tokens that were written to the cache of the provider */
            readonly cache_write_tokens?: number | null;
            /** @description Completion tokens that were used for reasoning */
            readonly reasoning_tokens?: number | null;
            /** @description What the provider or the tool states, instead of the price; at most 12 decimal places */
            readonly cost_usd?: number | null;
            readonly output_data?: components["schemas"]["Payload"];
            /** @description Why the step failed; only with status FAILED */
            readonly error?: string | null;
            /** @description Whether the tokens are an estimate, as of a stream that was broken off; null: no */
            readonly estimated?: boolean | null;
        };
        /**
         * @description BLOCKED if a rule denied the step
         * @enum {string}
         */
        readonly StepStatus: "ALLOWED" | "COMPLETED" | "FAILED" | "BLOCKED";
        /** @enum {string} */
        readonly StepType: "INPUT" | "MODEL_CALL" | "TOOL_CALL" | "OUTPUT" | "REASONING" | "SYSTEM";
        readonly StoppedRun: {
            /** Format: uuid */
            readonly id: string;
            readonly status: components["schemas"]["EndStatus"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            readonly ended_at: string;
            /** @enum {string|null} */
            readonly end_reason: "LEASE_EXPIRED" | "STOPPED" | null;
        };
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
            /** @description Prompt tokens that were read from the cache of the provider */
            readonly cache_read_tokens?: number | null;
            /** @description Prompt tokens that were written to the cache of the provider */
            readonly cache_write_tokens?: number | null;
            /** @description Completion tokens that were used for reasoning */
            readonly reasoning_tokens?: number | null;
            /** @description What the provider or the tool states, instead of the price; at most 12 decimal places */
            readonly cost_usd?: number | null;
            readonly output_data?: components["schemas"]["Payload"];
            /** @description Why the step failed; only with status FAILED */
            readonly error?: string | null;
            /** @description Whether the tokens are an estimate, as of a stream that was broken off; null: no */
            readonly estimated?: boolean | null;
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
            /** @description At most 100 models, most expensive first */
            readonly by_model: readonly components["schemas"]["ModelCost"][];
            /** @description At most 1,000 users, most expensive first */
            readonly by_user: readonly components["schemas"]["UserCost"][];
            /** @description Runs this calendar month */
            readonly monthly_run_count: number;
            /** @description From the plan; null: unlimited */
            readonly monthly_run_limit: number | null;
            /** @description Open holds, which count against the budgets of today */
            readonly held_usd: number;
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
             * @description The latest run start; null if there is none
             */
            readonly last_seen_at: string | null;
            /** @description Open holds, which count against the budget of today */
            readonly held_usd: number;
            /** @description Tokens reported this UTC day without a price; not part of spend_today_usd */
            readonly unpriced_tokens_today: number;
            /** @description Spend of the last 30 UTC days, including today */
            readonly spend_30d_usd: number;
            /** @description Why the user is blocked; null if not blocked, or not said */
            readonly block_note: string | null;
            /**
             * Format: date-time
             * @description When the block or its note was set last; null if not blocked, or blocked before this was recorded
             */
            readonly blocked_at: string | null;
            /** @description Who set it: an e-mail, or the label of an API key; null as blocked_at */
            readonly blocked_by: string | null;
        };
        readonly UserCost: {
            readonly user_id: string;
            /** @description Spend of the last 30 days */
            readonly total_usd: number;
            readonly run_count: number;
        };
        readonly UserDay: {
            /**
             * Format: date
             * @description UTC day
             */
            readonly day: string;
            /** @description Spend of the day */
            readonly total_usd: number;
            /** @description All tokens, with or without a price */
            readonly total_tokens: number;
            /** @description Tokens without a price at the time of the report */
            readonly unpriced_tokens: number;
            /** @description Runs that were allowed to start */
            readonly run_count: number;
        };
        readonly UserDetail: {
            readonly user_id: string;
            readonly blocked: boolean;
            /** @description Runs that were allowed to start */
            readonly run_count: number;
            /** @description Spend reported this UTC day */
            readonly spend_today_usd: number;
            /**
             * Format: date-time
             * @description The latest run start; null if there is none
             */
            readonly last_seen_at: string | null;
            /** @description Open holds, which count against the budget of today */
            readonly held_usd: number;
            /** @description Tokens reported this UTC day without a price; not part of spend_today_usd */
            readonly unpriced_tokens_today: number;
            /** @description Spend of the last 30 UTC days, including today */
            readonly spend_30d_usd: number;
            /** @description Why the user is blocked; null if not blocked, or not said */
            readonly block_note: string | null;
            /**
             * Format: date-time
             * @description When the block or its note was set last; null if not blocked, or blocked before this was recorded
             */
            readonly blocked_at: string | null;
            /** @description Who set it: an e-mail, or the label of an API key; null as blocked_at */
            readonly blocked_by: string | null;
            /** @description Spend of these days */
            readonly total_usd: number;
            /** @description All tokens of these days, with or without a price */
            readonly total_tokens: number;
            /** @description Tokens without a price at the time of the report; not part of total_usd */
            readonly unpriced_tokens: number;
            /** @description Oldest first, including today and days without usage */
            readonly by_day: readonly components["schemas"]["UserDay"][];
            /** @description At most 100 models, most expensive first */
            readonly by_model: readonly components["schemas"]["UserModel"][];
            /** @description Denied run starts and steps of these days, by reason */
            readonly denials: readonly {
                readonly reason: components["schemas"]["DenyReason"];
                readonly count: number;
            }[];
            readonly other_models?: components["schemas"]["OtherModelsOfUser"];
        };
        readonly UserModel: {
            readonly model: string;
            /** @description Spend of these days */
            readonly total_usd: number;
            /** @description Input tokens */
            readonly prompt_tokens: number;
            /** @description Output tokens */
            readonly completion_tokens: number;
            /** @description Tokens without a price at the time of the report; not part of total_usd */
            readonly unpriced_tokens: number;
            /** @description Steps with tokens or a cost */
            readonly call_count: number;
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
            /** @description Per UTC day; null: unlimited */
            readonly daily_budget_usd: number | null;
            /** @description Per UTC day, the same for every user; null: unlimited */
            readonly user_daily_budget_usd: number | null;
            readonly max_concurrent_runs: number;
            /** @description A run without any request for so long ends; null: never */
            readonly run_lease_seconds: number | null;
            readonly run_limits: components["schemas"]["WorkspaceRunLimits"];
            /** @description Whether a model call without a hold is denied */
            readonly require_holds: boolean;
            /** @description Whether a call of a model without an active price is denied */
            readonly deny_unpriced_models: boolean;
        };
        /** @description Limits of each run; a run can only tighten them */
        readonly WorkspaceRunLimits: {
            /** @description null: no limit */
            readonly max_cost_usd: number | null;
            /** @description null: no limit */
            readonly max_steps: number | null;
            /** @description null: no limit */
            readonly max_duration_seconds: number | null;
            /** @description null: no limit */
            readonly max_repeats: number | null;
            readonly repeat_exempt_tools: readonly string[];
        };
    };
    responses: {
        /** @description Malformed request, or not possible in the current state */
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
        /** @description Not available on the plan of the workspace, with the scope of the API key or with the role of the member */
        readonly Forbidden: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Internal server error */
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
        /** @description Not modified since the response whose ETag is in If-None-Match */
        readonly NotModified: {
            headers: {
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The database is unavailable, or the service is overloaded; see Retry-After */
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
        /** @description No valid credential of the required kind */
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
        /** @description The body is not JSON, or is compressed */
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
                /** @description The first moment */
                readonly from?: string;
                /** @description The moment after the last */
                readonly to?: string;
                readonly end_reason?: components["schemas"]["EndReason"];
                readonly deny_reason?: components["schemas"]["DenyReason"];
                /** @description Only runs with a step that was denied */
                readonly has_denied_steps?: true;
                /** @description Only running runs with a lease and without an accepted write for 5 minutes or more */
                readonly idle?: true;
                /** @description Only runs with this entry at the top of their metadata, as `name=value`. The first 16 entries with a text, a number or a boolean are found, names of up to 64 and values of up to 256 characters, in metadata of up to 4,096 characters. */
                readonly metadata?: string;
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
                        /** @description The number of matching items on all pages */
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
                /** @description Makes retries safe. For 24 hours, the same request with the same key returns the first response and has no further effect; another request with the same key returns 400. */
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
            readonly 403: components["responses"]["Forbidden"];
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
                /** @description Makes retries safe. For 24 hours, the same request with the same key returns the first response and has no further effect; another request with the same key returns 400. */
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
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["ContentTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly sendHeartbeat: {
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
                    readonly "application/json": components["schemas"]["Heartbeat"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["ContentTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly stopRun: {
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
                    readonly "application/json": components["schemas"]["StoppedRun"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
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
    readonly search: {
        readonly parameters: {
            readonly query?: {
                readonly q?: string;
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
                    readonly "application/json": components["schemas"]["SearchResult"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly exportRuns: {
        readonly parameters: {
            readonly query?: {
                readonly status?: components["schemas"]["RunStatus"];
                /** @description Only runs of this user */
                readonly user_id?: string;
                /** @description The first moment */
                readonly from?: string;
                /** @description The moment after the last */
                readonly to?: string;
                readonly end_reason?: components["schemas"]["EndReason"];
                readonly deny_reason?: components["schemas"]["DenyReason"];
                /** @description Only runs with a step that was denied */
                readonly has_denied_steps?: true;
                /** @description Only running runs with a lease and without an accepted write for 5 minutes or more */
                readonly idle?: true;
                /** @description Only runs with this entry at the top of their metadata, as `name=value`. The first 16 entries with a text, a number or a boolean are found, names of up to 64 and values of up to 256 characters, in metadata of up to 4,096 characters. */
                readonly metadata?: string;
                /** @description csv unless told */
                readonly format?: "csv" | "jsonl";
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
                    readonly "text/csv": string;
                    readonly "application/jsonl": string;
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
    readonly createStep: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes retries safe. For 24 hours, the same request with the same key returns the first response and has no further effect; another request with the same key returns 400. */
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
            readonly 403: components["responses"]["Forbidden"];
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
                /** @description Makes retries safe. For 24 hours, the same request with the same key returns the first response and has no further effect; another request with the same key returns 400. */
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
            readonly 403: components["responses"]["Forbidden"];
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
            readonly 403: components["responses"]["Forbidden"];
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
    readonly lookUpModelPrices: {
        readonly parameters: {
            readonly query?: {
                readonly model?: readonly string[];
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
                    readonly "application/json": readonly components["schemas"]["CatalogueMatch"][];
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
            readonly 403: components["responses"]["Forbidden"];
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
                /** @description The beginning of the user_id */
                readonly search?: string;
                readonly sort?: "spend";
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
                        /** @description The number of matching items on all pages */
                        readonly total: number;
                        readonly page: number;
                        readonly per_page: number;
                    };
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
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
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["BlockUser"];
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
            readonly 403: components["responses"]["Forbidden"];
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
            readonly 403: components["responses"]["Forbidden"];
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
                readonly "application/json": components["schemas"]["BlockUserByName"];
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
            readonly 403: components["responses"]["Forbidden"];
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
            readonly 403: components["responses"]["Forbidden"];
            readonly 413: components["responses"]["ContentTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly getUser: {
        readonly parameters: {
            readonly query?: {
                readonly days?: number;
                /** @description Instead of the name in the path: for `.` and `..`, which clients remove from a path */
                readonly name?: string;
            };
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
                    readonly "application/json": components["schemas"]["UserDetail"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly getModel: {
        readonly parameters: {
            readonly query?: {
                readonly days?: number;
                /** @description Instead of the name in the path: for `.` and `..`, which clients remove from a path */
                readonly name?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description Model identifier */
                readonly model: string;
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
                    readonly "application/json": components["schemas"]["ModelDetail"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
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
            readonly 403: components["responses"]["Forbidden"];
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
            readonly 403: components["responses"]["Forbidden"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly getGuardrailEffects: {
        readonly parameters: {
            readonly query?: {
                readonly days?: number;
                readonly max_cost_usd?: number;
                /** @description Without denied ones */
                readonly max_steps?: number;
                /** @description Since the start of the run */
                readonly max_duration_seconds?: number;
                readonly run_lease_seconds?: number;
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
                    readonly "application/json": components["schemas"]["GuardrailEffects"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
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
    readonly resetPassword: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ResetPassword"];
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
            readonly 413: components["responses"]["ContentTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly logOutEverywhere: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
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
            readonly 403: components["responses"]["Forbidden"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly createApiKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Makes retries safe. For 24 hours, the same request with the same key returns the first response and has no further effect; another request with the same key returns 400. */
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
            readonly 403: components["responses"]["Forbidden"];
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
            /** @description No content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
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
            readonly 403: components["responses"]["Forbidden"];
            readonly 413: components["responses"]["ContentTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly listMembers: {
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
                    readonly "application/json": readonly components["schemas"]["Member"][];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly removeMember: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly member_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["ContentTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly changeRole: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly member_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ChangeRole"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Member"];
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["ContentTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly listInvitations: {
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
                    readonly "application/json": readonly components["schemas"]["Invitation"][];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly inviteMember: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["InviteMember"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NewInvitation"];
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
    readonly revokeInvitation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly invitation_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["ContentTooLarge"];
            readonly 415: components["responses"]["UnsupportedMediaType"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly listAuditLog: {
        readonly parameters: {
            readonly query?: {
                readonly action?: components["schemas"]["AuditAction"];
                /** @description The id of an account or an API key */
                readonly actor_id?: string;
                /** @description The first moment */
                readonly from?: string;
                /** @description The moment after the last */
                readonly to?: string;
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
                        readonly items: readonly components["schemas"]["AuditEntry"][];
                        /** @description The number of matching items on all pages */
                        readonly total: number;
                        readonly page: number;
                        readonly per_page: number;
                    };
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 422: components["responses"]["UnprocessableContent"];
            readonly 500: components["responses"]["InternalServerError"];
            readonly 503: components["responses"]["ServiceUnavailable"];
        };
    };
    readonly streamEvents: {
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
                    readonly "text/event-stream": string;
                };
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
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
    readonly getGateway: {
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
                    readonly "application/json": components["schemas"]["Gateway"];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
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
