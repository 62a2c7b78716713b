// Generated from openapi.json by npm run generated. Do not edit.

export interface paths {
    "/v1/runs/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List runs, newest first
         * @description All filters can be combined. `from` and `to` are about the start of the run. `deny_reason` is why the run was not allowed to start, or why one of its steps was denied. Runs by status, by user or by time alone are counted exactly. Any other combination is applied to at most 10,000 runs that its most selective filter finds, and `total` counts the matches among them: the newest ones, or with `idle` those that started first. Of a user with up to 10,000 runs, every match is counted.
         */
        get: operations["listRuns"];
        put?: never;
        /**
         * Start a run
         * @description Evaluates all rules. A denied run is stored as BLOCKED and does not count towards any limit.
         */
        post: operations["startRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a run
         * @description Frees the concurrency slot of the run. Repeating the request with the same status returns the first response.
         */
        post: operations["endRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renew the lease of a run
         * @description For an agent in a long call; every other write on the run renews the lease, too. The decision is what a new step would get now, so that the kill switch or a stop reaches the agent.
         */
        post: operations["sendHeartbeat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a run
         * @description Ends the run as FAILED, with `end_reason` STOPPED. Its agent learns it from its next request. Repeating the request returns the first response; a run that ended otherwise returns 400.
         */
        post: operations["stopRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a run with its steps */
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find runs, a step and users
         * @description At most 8 of each: runs whose id begins with the text (at least 4 characters), the step with this id, if its run is among the 10000 that had started last before it, and users whose id begins with the text.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export runs, newest first
         * @description All runs that match, with the fields of the list: as CSV, or as JSON with one run per line. `from` and `to` are about the start of the run. `deny_reason` is why the run was not allowed to start, or why one of its steps was denied. In CSV, a text that a spreadsheet would take for a formula begins with an apostrophe.
         */
        get: operations["exportRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a step
         * @description Call it before the step is executed. Evaluates the step rules. A denied step is stored as BLOCKED and does not end its run.
         */
        post: operations["createStep"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{run_id}/steps/{step_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a step with its result
         * @description Computes the cost of the tokens and adds it to the spend of today. Repeating the same update returns the first response and counts nothing twice. An update is accepted after the run has ended, so that no cost is lost.
         */
        patch: operations["updateStep"];
        trace?: never;
    };
    "/v1/runs/{run_id}/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain every decision of a run
         * @description Returns the decisions in the order in which they were made, with the limit and the value of each rule.
         */
        get: operations["listRunDecisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/model-pricing/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List active prices */
        get: operations["listModelPrices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/model-pricing/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Create or update the price of a model
         * @description The model is everything after /v1/model-pricing/, plain or percent-encoded.
         */
        put: operations["putModelPrice"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/model-pricing-catalogue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search public list prices
         * @description Returns models whose name or provider contains every word of the query. The list is part of the service and shows prices of the date in as_of.
         */
        get: operations["searchModelPricingCatalogue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/model-pricing-catalogue/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up the list prices of models by name
         * @description Returns what the list has for each name, in the order of the names. A name may have a date (gpt-4o-2024-08-06) or a provider (openai/gpt-4o). A name that is not certain has no price.
         */
        get: operations["lookUpModelPrices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/workspace/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the workspace */
        get: operations["getWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the workspace
         * @description Changes only the fields that are present. If the plan does not include one of them, no field is changed.
         */
        patch: operations["updateWorkspace"];
        trace?: never;
    };
    "/v1/workspace/kill-switch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn the kill switch on or off
         * @description While it is on, every run start and step creation is denied. Turning it on requires the plan Scale or higher.
         */
        post: operations["setKillSwitch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description Without parameters, most recently seen first. `search` finds users whose id begins with it, in the order of their ids, the first 10,000. `sort=spend` lists users with runs or usage in the last 30 UTC days, most expensive first, the first 1,000; `search` and `blocked` then select among these.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{user_id}/block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Block a user
         * @description Every run start and step of the user is denied. A user without runs can be blocked.
         */
        post: operations["blockUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{user_id}/unblock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unblock a user
         * @description Has no effect if the user is not blocked.
         */
        post: operations["unblockUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Block a user, with the name in the body
         * @description Every run start and step of the user is denied. A user without runs can be blocked. Use this form for users named `.` or `..`, which clients remove from a path.
         */
        post: operations["blockUserByBody"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/unblock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unblock a user, with the name in the body
         * @description Has no effect if the user is not blocked. Use this form for users named `.` or `..`, which clients remove from a path.
         */
        post: operations["unblockUserByBody"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a user with spend by day, models and denials
         * @description Days are UTC days, including today. Spend belongs to the day on which it was reported. A user is a name: one that was never seen has used nothing.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get spend, tokens, failures and durations of a model
         * @description The model is everything after /v1/models/, plain or percent-encoded; one that was never called has used nothing. Days are UTC days, including today. A call belongs to the day on which it was reported.
         */
        get: operations["getModel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get spend and tokens
         * @description Days are UTC days, including today. Spend belongs to the day on which it was reported.
         */
        get: operations["getUsageSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage/daily": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get spend, tokens and denials per day
         * @description Returns UTC days, oldest first, including today and days without usage.
         */
        get: operations["getDailyUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage/guardrail-effects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare limits with recent runs
         * @description Counts the runs of the last days that would have reached a limit, before it is set. Days are UTC days, including today. The parameters are named like the settings of the workspace.
         */
        get: operations["getGuardrailEffects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an account with its workspace and first API key
         * @description With an invitation, the account joins an existing workspace instead.
         */
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the signed-in account */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the password
         * @description Returns a new token. Every older token stops working.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password with a link from the operator
         * @description The operator makes the link with `guarded-runs reset-password`; it is valid for an hour and one use. Returns a new token. Every older token stops working.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/logout-everywhere": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End all sessions of the account
         * @description Every token of the account stops working with the next request, including the one of this request.
         */
        post: operations["logOutEverywhere"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List API keys, newest first */
        get: operations["listApiKeys"];
        put?: never;
        /** Create an API key */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description The key stops working at once. Revoking it again has no effect.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/regenerate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace all API keys with a new one
         * @description Creates one API key and revokes all others of the workspace at once.
         */
        post: operations["regenerateApiKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List members */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members/{member_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member
         * @description Deletes the account: its next request fails. API keys that the member has made remain, open invitations do not. The last owner must stay.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change the role of a member
         * @description It applies to the next request of the member. The last owner must stay an owner.
         */
        patch: operations["changeRole"];
        trace?: never;
    };
    "/v1/members/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List open invitations */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite a member
         * @description Returns a link, which you pass on: the service sends no e-mail. It is valid for seven days and one registration with this e-mail. A new invitation of the same e-mail replaces the earlier one.
         */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members/invitations/{invitation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an invitation */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-log/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changes, newest first
         * @description The total counts up to 10,000 entries, which have pages; find older ones with `to`. Entries are kept for 400 days, unless the operator has set another time.
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow changes
         * @description Server-sent events. `ready` says that every change from now on is told; `change` has `{"topics": […]}`, where `runs` stands for runs, steps and usage, and `settings` for everything that has an entry in the audit log. Nothing else is told: read again what you show. At most one `change` a second. If there are too many streams, the response is 503.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the plan and its usage */
        get: operations["getBilling"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the plan
         * @description A change takes effect at once. A downgrade resets settings that the new plan does not include. Returns 403 if the service is configured with PLAN_CHANGES=operator.
         */
        put: operations["setPlan"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check the service and its database */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get Prometheus metrics */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/gateway": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where the gateway is */
        get: operations["getGateway"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get this document */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ApiKey: {
            /** Format: uuid */
            id: string;
            /** @description The public part of the key: lg_<prefix>_<secret> */
            prefix: string;
            label: string | null;
            is_active: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Exact to the minute; null if never used
             */
            last_used_at: string | null;
            scope: components["schemas"]["KeyScope"];
            /** @description The end user whose runs the key is limited to; null: all */
            user_id: string | null;
            /** @description The e-mail of a member, or "key" and the label of a key; null if unknown */
            created_by: string | null;
        };
        /** @enum {string} */
        AuditAction: "account.registered" | "account.signed_in" | "account.password_changed" | "account.password_reset" | "account.sessions_ended" | "api_key.created" | "api_key.revoked" | "api_keys.regenerated" | "invitation.revoked" | "kill_switch.turned_on" | "kill_switch.turned_off" | "member.invited" | "member.joined" | "member.removed" | "member.role_changed" | "plan.changed" | "price.set" | "run.stopped" | "user.blocked" | "user.unblocked" | "workspace.updated";
        AuditEntry: {
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            created_at: string;
            actor: {
                /**
                 * @description operator: the command line of the service; system: the service itself
                 * @enum {string}
                 */
                type: "account" | "api_key" | "operator" | "system";
                /**
                 * Format: uuid
                 * @description null for the operator and the service
                 */
                id: string | null;
                /** @description The e-mail of an account or the label of a key, as it was then */
                label: string;
            };
            action: components["schemas"]["AuditAction"];
            /** @description The id or name of what was changed; null: the workspace */
            target: string | null;
            /** @description null if there was nothing before */
            before: {
                [key: string]: unknown;
            } | null;
            /** @description null if there is nothing to show */
            after: {
                [key: string]: unknown;
            } | null;
            /** @description X-Request-Id of the response */
            request_id: string | null;
            /** @description Of the client, or of the proxy before it: see TRUST_PROXY */
            ip_address: string | null;
        };
        Billing: {
            plan: components["schemas"]["Plan"];
            /** @description Runs per calendar month; null: unlimited */
            monthly_run_limit: number | null;
            /** @description Runs this calendar month */
            monthly_run_count: number;
            max_concurrent_runs: number;
            features: components["schemas"]["Feature"][];
            /** @description All plans, lowest first */
            plans: {
                plan: components["schemas"]["Plan"];
                name: string;
                /** @description Runs per calendar month; null: unlimited */
                monthly_run_limit: number | null;
                features: components["schemas"]["Feature"][];
            }[];
            /**
             * @description operator: only the operator of the service changes plans
             * @enum {string}
             */
            plan_changes: "self-service" | "operator";
        };
        BlockUser: {
            /** @description Why the user is blocked; null: no note; absent: a user who is blocked keeps the note */
            note?: string | null;
        };
        BlockUserByName: {
            /** @description The end user */
            user_id: string;
            /** @description Why the user is blocked; null: no note; absent: a user who is blocked keeps the note */
            note?: string | null;
        };
        CatalogueMatch: {
            /** @description The name that was looked up */
            model: string;
            /** @description Of the provider that the name tells, or on which all providers of the model agree; null if there is none */
            price: {
                /** @description The provider that charges this price */
                provider: string;
                /** @description The model identifier of the provider */
                model: string;
                /** @description Display name */
                name: string | null;
                /** @description USD per prompt token */
                input_cost_per_token: number;
                /** @description USD per completion token */
                output_cost_per_token: number;
                /** @description USD per prompt token that is read from the cache of the provider; null: the list has none */
                cache_read_cost_per_token: number | null;
                /** @description USD per prompt token that is written to the cache of the provider; null: the list has none */
                cache_write_cost_per_token: number | null;
                /** @description Whether long prompts, certain times of day or longer caching have a different price; this entry is the base price */
                has_other_prices: boolean;
                /**
                 * Format: date
                 * @description The date of the price list
                 */
                as_of: string;
            } | null;
            /** @description Different prices of other providers for a model of this name, at most 20 */
            other_prices: components["schemas"]["CataloguePrice"][];
        };
        CataloguePrice: {
            /** @description The provider that charges this price */
            provider: string;
            /** @description The model identifier of the provider */
            model: string;
            /** @description Display name */
            name: string | null;
            /** @description USD per prompt token */
            input_cost_per_token: number;
            /** @description USD per completion token */
            output_cost_per_token: number;
            /** @description USD per prompt token that is read from the cache of the provider; null: the list has none */
            cache_read_cost_per_token: number | null;
            /** @description USD per prompt token that is written to the cache of the provider; null: the list has none */
            cache_write_cost_per_token: number | null;
            /** @description Whether long prompts, certain times of day or longer caching have a different price; this entry is the base price */
            has_other_prices: boolean;
            /**
             * Format: date
             * @description The date of the price list
             */
            as_of: string;
        };
        ChangePassword: {
            current_password: string;
            new_password: string;
        };
        ChangeRole: {
            role: components["schemas"]["Role"];
        };
        CostBreakdown: {
            /** @description Spend reported in the period */
            total_usd: number;
            /** @description All tokens, with or without a price */
            total_tokens: number;
            run_count: number;
        };
        /** @description What each part of the tokens cost, not rounded; null if the cost does not come from a price */
        CostParts: {
            /** @description Prompt tokens that are in no other part */
            input_usd: number;
            /** @description Prompt tokens read from the cache */
            cache_read_usd: number;
            /** @description Prompt tokens written to the cache */
            cache_write_usd: number;
            /** @description Completion tokens */
            output_usd: number;
        } | null;
        CreateApiKey: {
            /** @description Helps to tell keys apart */
            label?: string | null;
            scope?: components["schemas"]["KeyScope"];
            /** @description Pins a key with the scope agent to an end user */
            user_id?: string | null;
        };
        CreateStep: {
            type: components["schemas"]["StepType"];
            /** @description Order within the run, from 1 */
            sequence: number;
            /** @description Model identifier, for MODEL_CALL */
            model?: string | null;
            /** @description Tool identifier, for TOOL_CALL */
            tool_name?: string | null;
            input_data?: components["schemas"]["Payload"];
            /** @description What the step costs at most: held until it is reported */
            estimated_cost_usd?: number | null;
            /** @description Instead of the cost, with `max_completion_tokens`: priced with the price of the model */
            estimated_prompt_tokens?: number | null;
            /** @description See `estimated_prompt_tokens` */
            max_completion_tokens?: number | null;
            /** @description Updates of steps of this run, applied in order before everything else: all, or none if one is refused */
            reports?: components["schemas"]["StepReport"][];
            /** @description Whether the response to a denial has `denied_by` */
            explain?: boolean;
        };
        CreatedStep: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            status: "ALLOWED" | "BLOCKED";
            decision: components["schemas"]["Decision"];
            /** @description Only if the request has an estimate; null if the model has no price */
            hold_usd?: number | null;
            /** @description Only if the request has an estimate; null without a limit */
            remaining_usd?: number | null;
            /** @description Only if the request has `reports`: the response to each */
            reported?: components["schemas"]["UpdatedStep"][];
            /** @description Only of a denial, if the request has `explain`; null if the run has ended */
            denied_by?: {
                rule: components["schemas"]["RuleName"];
                /** @description null if no limit was set or the rule is a switch */
                limit: number | null;
                /** @description The value that was compared: USD, a count, or the state of a switch */
                value: number | boolean;
                /**
                 * Format: date-time
                 * @description When the value is reset to zero; null if it is not
                 */
                resets_at: string | null;
            } | null;
        };
        DailyModelCost: {
            model: string;
            /** @description Spend of the day */
            total_usd: number;
            /** @description Input tokens */
            prompt_tokens: number;
            /** @description Output tokens */
            completion_tokens: number;
            /** @description Tokens without a price at the time of the report; not part of total_usd */
            unpriced_tokens: number;
            /** @description Input tokens read from the cache of the provider */
            cache_read_tokens: number;
            /** @description Input tokens written to the cache of the provider */
            cache_write_tokens: number;
            /** @description Output tokens used for reasoning */
            reasoning_tokens: number;
            /** @description What the cache saved against the input price; negative if it cost more */
            cache_saved_usd: number;
        };
        DailyUsage: {
            /**
             * Format: date
             * @description UTC day
             */
            day: string;
            /** @description Spend of the day */
            total_usd: number;
            /** @description All tokens, with or without a price */
            total_tokens: number;
            /** @description Tokens without a price at the time of the report */
            unpriced_tokens: number;
            /** @description Runs that were allowed to start */
            run_count: number;
            /** @description At most 50 models, most expensive first */
            by_model: components["schemas"]["DailyModelCost"][];
            /** @description Denied run starts and steps by reason */
            denials: {
                reason: components["schemas"]["DenyReason"];
                count: number;
            }[];
            other_models?: components["schemas"]["OtherModels"];
        };
        Decision: {
            outcome: components["schemas"]["Outcome"];
            /**
             * @description null if allowed
             * @enum {string|null}
             */
            reason: "KILL_SWITCH_ACTIVE" | "USER_BLOCKED" | "WORKSPACE_DAILY_BUDGET_EXCEEDED" | "USER_DAILY_BUDGET_EXCEEDED" | "MONTHLY_RUN_LIMIT_EXCEEDED" | "MAX_CONCURRENT_RUNS_EXCEEDED" | "RUN_COST_LIMIT_EXCEEDED" | "RUN_STEP_LIMIT_EXCEEDED" | "RUN_DURATION_LIMIT_EXCEEDED" | "LOOP_DETECTED" | "HOLD_REQUIRED" | "MODEL_NOT_PRICED" | "RUN_ALREADY_ENDED" | null;
        };
        /** @enum {string} */
        DenyReason: "KILL_SWITCH_ACTIVE" | "USER_BLOCKED" | "WORKSPACE_DAILY_BUDGET_EXCEEDED" | "USER_DAILY_BUDGET_EXCEEDED" | "MONTHLY_RUN_LIMIT_EXCEEDED" | "MAX_CONCURRENT_RUNS_EXCEEDED" | "RUN_COST_LIMIT_EXCEEDED" | "RUN_STEP_LIMIT_EXCEEDED" | "RUN_DURATION_LIMIT_EXCEEDED" | "LOOP_DETECTED" | "HOLD_REQUIRED" | "MODEL_NOT_PRICED" | "RUN_ALREADY_ENDED";
        /** @enum {string} */
        EndReason: "LEASE_EXPIRED" | "STOPPED";
        EndRun: {
            status: components["schemas"]["EndStatus"];
            /** @description Updates of steps of this run, applied in order before everything else: all, or none if one is refused */
            reports?: components["schemas"]["StepReport"][];
        };
        /** @enum {string} */
        EndStatus: "COMPLETED" | "FAILED";
        EndedRun: {
            /** Format: uuid */
            id: string;
            status: components["schemas"]["EndStatus"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            ended_at: string;
            /** @description Only if the request has `reports`: the response to each */
            reported?: components["schemas"]["UpdatedStep"][];
        };
        /** @description The body of every error response */
        Error: {
            /** @description What is wrong, and where */
            detail: string;
        };
        ExplainedDecision: {
            /**
             * @description What was decided: a run start or a step
             * @enum {string}
             */
            subject: "run" | "step";
            /**
             * Format: uuid
             * @description null for the start of the run
             */
            step_id: string | null;
            outcome: components["schemas"]["Outcome"];
            /** @enum {string|null} */
            reason: "KILL_SWITCH_ACTIVE" | "USER_BLOCKED" | "WORKSPACE_DAILY_BUDGET_EXCEEDED" | "USER_DAILY_BUDGET_EXCEEDED" | "MONTHLY_RUN_LIMIT_EXCEEDED" | "MAX_CONCURRENT_RUNS_EXCEEDED" | "RUN_COST_LIMIT_EXCEEDED" | "RUN_STEP_LIMIT_EXCEEDED" | "RUN_DURATION_LIMIT_EXCEEDED" | "LOOP_DETECTED" | "HOLD_REQUIRED" | "MODEL_NOT_PRICED" | "RUN_ALREADY_ENDED" | null;
            /** @description By rule name; rules after the first DENY are absent */
            evaluated_rules: {
                [key: string]: components["schemas"]["RuleResult"];
            };
            rules: components["schemas"]["RuleEvaluation"][];
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            decided_at: string;
        };
        /** @enum {string} */
        Feature: "user_daily_budget" | "max_concurrent_runs" | "kill_switch";
        FoundRun: {
            /** Format: uuid */
            id: string;
            user_id: string;
            status: components["schemas"]["RunStatus"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            started_at: string;
        };
        FoundUser: {
            user_id: string;
        };
        Gateway: {
            /** @description Empty if the gateway is off */
            providers: components["schemas"]["GatewayProvider"][];
        };
        GatewayProvider: {
            name: string;
            /** @description Where its API is; clients append /v1/… */
            path: string;
            /** @description Whether the service has the key of the provider, so that clients send theirs of Guarded Runs in its place */
            has_key: boolean;
        };
        GuardrailEffects: {
            /** @description Runs that were allowed to start in these days, of the newest 10,000 runs of the workspace */
            runs: number;
            /** @description Whether older runs of these days were not looked at */
            has_more_runs: boolean;
            /** @description Runs that cost as much: their next step would be denied; null without `max_cost_usd` */
            runs_at_max_cost: number | null;
            /** @description Runs with more allowed steps; null without `max_steps` */
            runs_over_max_steps: number | null;
            /** @description Runs that lasted, or have been running, as long; null without `max_duration_seconds` */
            runs_at_max_duration: number | null;
            /** @description Runs that their lease ended */
            expired_runs: number;
            /** @description Running runs with a lease and without an accepted write for as long; null without `run_lease_seconds` */
            silent_runs: number | null;
            /** @description MODEL_CALL steps that were allowed, of the newest runs with 10,000 steps together at most */
            model_calls: number;
            /** @description Those of them without a hold */
            model_calls_without_hold: number;
            /** @description Whether there are more steps than were looked at */
            has_more_steps: boolean;
        };
        Health: {
            /** @description ok */
            status: string;
            version: string;
        };
        Heartbeat: {
            /** Format: uuid */
            id: string;
            status: components["schemas"]["RunStatus"];
            /**
             * Format: date-time
             * @description null if the run has no lease, or has ended
             */
            lease_expires_at: string | null;
            decision: components["schemas"]["Decision"];
        };
        Invitation: {
            /** Format: uuid */
            id: string;
            email: string;
            role: components["schemas"]["Role"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            expires_at: string;
        };
        InviteMember: {
            /** @description Not case-sensitive */
            email: string;
            role: components["schemas"]["Role"];
        };
        /**
         * @description admin: everything that a key may do; agent: writes on runs and steps, and reads of runs and prices; read: only reads
         * @enum {string}
         */
        KeyScope: "admin" | "agent" | "read";
        Login: {
            email: string;
            password: string;
        };
        Me: {
            /** Format: uuid */
            id: string;
            email: string;
            name: string | null;
            role: components["schemas"]["Role"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            created_at: string;
            /** Format: uuid */
            workspace_id: string;
            plan: components["schemas"]["Plan"];
        };
        Member: {
            /** Format: uuid */
            id: string;
            email: string;
            name: string | null;
            role: components["schemas"]["Role"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            created_at: string;
        };
        ModelCost: {
            model: string;
            /** @description Spend of the last 30 days */
            total_usd: number;
            /** @description Input tokens */
            prompt_tokens: number;
            /** @description Output tokens */
            completion_tokens: number;
            /** @description Input tokens read from the cache of the provider */
            cache_read_tokens: number;
            /** @description Input tokens written to the cache of the provider */
            cache_write_tokens: number;
            /** @description Output tokens used for reasoning */
            reasoning_tokens: number;
            /** @description What the cache saved against the input price; negative if it cost more */
            cache_saved_usd: number;
        };
        ModelDay: {
            /**
             * Format: date
             * @description UTC day
             */
            day: string;
            /** @description Spend */
            total_usd: number;
            /** @description Input tokens */
            prompt_tokens: number;
            /** @description Output tokens */
            completion_tokens: number;
            /** @description Tokens without a price at the time of the report; not part of total_usd */
            unpriced_tokens: number;
            /** @description Input tokens read from the cache of the provider */
            cache_read_tokens: number;
            /** @description Input tokens written to the cache of the provider */
            cache_write_tokens: number;
            /** @description Output tokens used for reasoning */
            reasoning_tokens: number;
            /** @description What the cache saved against the input price; negative if it cost more */
            cache_saved_usd: number;
            /** @description Calls that were reported as COMPLETED */
            completed_count: number;
            /** @description Calls that were reported as FAILED */
            failed_count: number;
            /** @description failed_count of both; null without calls */
            error_rate: number | null;
            /** @description The duration that 50 % of the completed calls do not exceed, within 12.5 %; null without a duration */
            p50_duration_ms: number | null;
            /** @description The duration that 95 % of the completed calls do not exceed, within 12.5 %; null without a duration */
            p95_duration_ms: number | null;
        };
        ModelDetail: {
            model: string;
            /** @description Spend */
            total_usd: number;
            /** @description Input tokens */
            prompt_tokens: number;
            /** @description Output tokens */
            completion_tokens: number;
            /** @description Tokens without a price at the time of the report; not part of total_usd */
            unpriced_tokens: number;
            /** @description Input tokens read from the cache of the provider */
            cache_read_tokens: number;
            /** @description Input tokens written to the cache of the provider */
            cache_write_tokens: number;
            /** @description Output tokens used for reasoning */
            reasoning_tokens: number;
            /** @description What the cache saved against the input price; negative if it cost more */
            cache_saved_usd: number;
            /** @description Calls that were reported as COMPLETED */
            completed_count: number;
            /** @description Calls that were reported as FAILED */
            failed_count: number;
            /** @description failed_count of both; null without calls */
            error_rate: number | null;
            /** @description The duration that 50 % of the completed calls do not exceed, within 12.5 %; null without a duration */
            p50_duration_ms: number | null;
            /** @description The duration that 95 % of the completed calls do not exceed, within 12.5 %; null without a duration */
            p95_duration_ms: number | null;
            /** @description Oldest first, including today and days without usage */
            by_day: components["schemas"]["ModelDay"][];
        };
        ModelPrice: {
            /** Format: uuid */
            id: string;
            /** @description Must equal the model of a step exactly */
            model: string;
            /** @description USD per prompt token */
            input_cost_per_token: number;
            /** @description USD per completion token */
            output_cost_per_token: number;
            is_active: boolean;
            /** @description USD per prompt token read from the cache of the provider; null: the input price */
            cache_read_cost_per_token: number | null;
            /** @description USD per prompt token written to the cache of the provider; null: the input price */
            cache_write_cost_per_token: number | null;
        };
        NewApiKey: {
            /** Format: uuid */
            id: string;
            /** @description The public part of the key: lg_<prefix>_<secret> */
            prefix: string;
            label: string | null;
            is_active: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Exact to the minute; null if never used
             */
            last_used_at: string | null;
            scope: components["schemas"]["KeyScope"];
            /** @description The end user whose runs the key is limited to; null: all */
            user_id: string | null;
            /** @description The e-mail of a member, or "key" and the label of a key; null if unknown */
            created_by: string | null;
            /** @description Shown only once */
            key: string;
        };
        NewInvitation: {
            /** Format: uuid */
            id: string;
            email: string;
            role: components["schemas"]["Role"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            created_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            expires_at: string;
            /** @description For `invitation` of a registration. Shown only once */
            token: string;
            /** @description The page of the dashboard that registers the member. Shown only once */
            url: string;
        };
        /** @description The sum of all models that by_model does not list; absent if it lists every model */
        OtherModels: {
            model_count: number;
            /** @description Spend of these models */
            total_usd: number;
            /** @description Input tokens */
            prompt_tokens: number;
            /** @description Output tokens */
            completion_tokens: number;
            /** @description Tokens without a price at the time of the report */
            unpriced_tokens: number;
            /** @description Input tokens read from the cache of the provider */
            cache_read_tokens: number;
            /** @description Input tokens written to the cache of the provider */
            cache_write_tokens: number;
            /** @description Output tokens used for reasoning */
            reasoning_tokens: number;
            /** @description What the cache saved against the input price; negative if it cost more */
            cache_saved_usd: number;
        };
        /** @description The sum of all models that by_model does not list; absent if it lists every model */
        OtherModelsOfUser: {
            model_count: number;
            /** @description Spend of these days */
            total_usd: number;
            /** @description Input tokens */
            prompt_tokens: number;
            /** @description Output tokens */
            completion_tokens: number;
            /** @description Tokens without a price at the time of the report; not part of total_usd */
            unpriced_tokens: number;
            /** @description Steps with tokens or a cost */
            call_count: number;
        };
        /** @enum {string} */
        Outcome: "ALLOW" | "DENY";
        /** @description For runs that start from now on; only the fields present change */
        PatchRunLimits: {
            /** @description Cost of all steps; null: no limit */
            max_cost_usd?: number | null;
            /** @description Steps, without denied ones; null: no limit */
            max_steps?: number | null;
            /** @description Time since the start; null: no limit */
            max_duration_seconds?: number | null;
            /** @description Equal steps among the last 20, by type, model or tool, and input_data; null: no limit */
            max_repeats?: number | null;
            /** @description Tools whose calls are never repeats, because they poll */
            repeat_exempt_tools?: string[];
        };
        PatchWorkspace: {
            /** @description null: no change */
            name?: string | null;
            /** @description null removes the limit */
            daily_budget_usd?: number | null;
            /** @description Pro or higher; null removes the limit */
            user_daily_budget_usd?: number | null;
            /** @description Pro or higher; null: no change */
            max_concurrent_runs?: number | null;
            /** @description For runs that start from now on; null: runs never expire */
            run_lease_seconds?: number | null;
            run_limits?: components["schemas"]["PatchRunLimits"];
            /** @description Deny model calls without an estimate or a price */
            require_holds?: boolean;
            /** @description Deny calls of models without an active price */
            deny_unpriced_models?: boolean;
        };
        /** @description Any JSON object; stored and returned unchanged */
        Payload: {
            [key: string]: unknown;
        } | null;
        /** @enum {string} */
        Plan: "basic" | "pro" | "scale" | "enterprise";
        PutModelPrice: {
            /** @description USD per prompt token, at most 18 decimal places */
            input_cost_per_token: number;
            /** @description USD per completion token, at most 18 decimal places */
            output_cost_per_token: number;
            /**
             * @description An inactive price is neither used nor listed
             * @default true
             */
            is_active?: boolean;
            /** @description USD per prompt token read from the cache of the provider, at most 18 decimal places; null or absent: the input price */
            cache_read_cost_per_token?: number | null;
            /** @description USD per prompt token written to the cache of the provider, at most 18 decimal places; null or absent: the input price */
            cache_write_cost_per_token?: number | null;
        };
        Register: {
            /** @description Not case-sensitive */
            email: string;
            password: string;
            /** @description Your name */
            name?: string | null;
            /** @description Display name of the new workspace */
            workspace_name?: string | null;
            /** @description The token of an invitation: the account joins that workspace, and gets no API key */
            invitation?: string | null;
        };
        Registered: {
            access_token: string;
            /** @enum {string} */
            token_type: "bearer";
            /** @description Shown only once; null for a member who was invited */
            api_key: string | null;
            user: {
                /** Format: uuid */
                id: string;
                email: string;
                name: string | null;
                role: components["schemas"]["Role"];
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC
                 */
                created_at: string;
            };
            workspace: components["schemas"]["Workspace"];
        };
        ResetPassword: {
            /** @description The part of the link after # */
            token: string;
            new_password: string;
        };
        /**
         * @description owner: everything. admin: everything but members and billing. viewer: only reads.
         * @enum {string}
         */
        Role: "owner" | "admin" | "viewer";
        RuleEvaluation: {
            rule: components["schemas"]["RuleName"];
            /** @description null if no limit was set or the rule is a switch */
            limit: number | null;
            /** @description The value that was compared: USD, a count, or the state of a switch */
            value: number | boolean;
            /**
             * Format: date-time
             * @description When the value is reset to zero; null if it is not
             */
            resets_at: string | null;
            result: components["schemas"]["RuleResult"];
            /** @description Open holds, in USD; absent without any */
            held?: number;
            /** @description What the step would hold, in USD; null without an estimate */
            requested?: number | null;
        };
        /** @enum {string} */
        RuleName: "kill_switch" | "user_blocked" | "workspace_daily_budget" | "user_daily_budget" | "monthly_run_limit" | "max_concurrent_runs" | "run_cost_limit" | "run_step_limit" | "run_duration_limit" | "run_repeat_limit" | "hold_required" | "model_price";
        /** @enum {string} */
        RuleResult: "PASS" | "DENY";
        Run: {
            /** Format: uuid */
            id: string;
            user_id: string;
            status: components["schemas"]["RunStatus"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            started_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            ended_at: string | null;
            /** @description Prompt and completion tokens of all steps */
            total_tokens: number;
            /** @description Cost of all priced steps */
            total_cost_usd: number;
            /**
             * @description Why the service ended the run; null if it did not
             * @enum {string|null}
             */
            end_reason: "LEASE_EXPIRED" | "STOPPED" | null;
            /**
             * Format: date-time
             * @description When the run ends unless a request renews its lease; null if it has none, or was ended before
             */
            lease_expires_at: string | null;
            metadata: components["schemas"]["Payload"];
            /** @description For a running run, the time until now */
            duration_ms: number;
            limits: components["schemas"]["RunLimits"];
            /** @description Open holds of its steps */
            held_usd: number;
            steps: components["schemas"]["Step"][];
        };
        RunLimits: {
            /** @description null: no limit */
            max_cost_usd: number | null;
            /** @description null: no limit */
            max_steps: number | null;
            /** @description null: no limit */
            max_duration_seconds: number | null;
            /** @description null: no limit */
            max_repeats: number | null;
        };
        RunListItem: {
            /** Format: uuid */
            id: string;
            user_id: string;
            status: components["schemas"]["RunStatus"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            started_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            ended_at: string | null;
            /** @description Prompt and completion tokens of all steps */
            total_tokens: number;
            /** @description Cost of all priced steps */
            total_cost_usd: number;
            /**
             * @description Why the service ended the run; null if it did not
             * @enum {string|null}
             */
            end_reason: "LEASE_EXPIRED" | "STOPPED" | null;
            /**
             * Format: date-time
             * @description When the run ends unless a request renews its lease; null if it has none, or was ended before
             */
            lease_expires_at: string | null;
            step_count: number;
            /**
             * @description Why the run was not allowed to start; null if it was
             * @enum {string|null}
             */
            deny_reason: "KILL_SWITCH_ACTIVE" | "USER_BLOCKED" | "WORKSPACE_DAILY_BUDGET_EXCEEDED" | "USER_DAILY_BUDGET_EXCEEDED" | "MONTHLY_RUN_LIMIT_EXCEEDED" | "MAX_CONCURRENT_RUNS_EXCEEDED" | "RUN_COST_LIMIT_EXCEEDED" | "RUN_STEP_LIMIT_EXCEEDED" | "RUN_DURATION_LIMIT_EXCEEDED" | "LOOP_DETECTED" | "HOLD_REQUIRED" | "MODEL_NOT_PRICED" | "RUN_ALREADY_ENDED" | null;
            /** @description Steps that were denied */
            denied_step_count: number;
        };
        /** @enum {string} */
        RunStatus: "RUNNING" | "COMPLETED" | "FAILED" | "BLOCKED";
        SearchResult: {
            runs: components["schemas"]["FoundRun"][];
            step: {
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                run_id: string;
            } | null;
            users: components["schemas"]["FoundUser"][];
        };
        SetKillSwitch: {
            active: boolean;
        };
        SetPlan: {
            plan: components["schemas"]["Plan"];
        };
        StartRun: {
            /** @description The end user that the agent works for */
            user_id: string;
            metadata?: components["schemas"]["Payload"];
            /** @description Instead of `run_lease_seconds` of the workspace; null: as the workspace has set */
            lease_seconds?: number | null;
            limits?: components["schemas"]["StartRunLimits"];
            /** @description Whether the response to a denial has `denied_by` */
            explain?: boolean;
        };
        /** @description Only tighten `run_limits` of the workspace: the smaller value applies */
        StartRunLimits: {
            /** @description Cost of all steps; null: no limit */
            max_cost_usd?: number | null;
            /** @description Steps, without denied ones; null: no limit */
            max_steps?: number | null;
            /** @description Time since the start; null: no limit */
            max_duration_seconds?: number | null;
            /** @description Equal steps among the last 20, by type, model or tool, and input_data; null: no limit */
            max_repeats?: number | null;
        };
        StartedRun: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            status: "RUNNING" | "BLOCKED";
            decision: components["schemas"]["Decision"];
            /**
             * Format: date-time
             * @description Only if the request has `lease_seconds`
             */
            lease_expires_at?: string | null;
            /** @description Only of a denial, if the request has `explain`; null if the run has ended */
            denied_by?: {
                rule: components["schemas"]["RuleName"];
                /** @description null if no limit was set or the rule is a switch */
                limit: number | null;
                /** @description The value that was compared: USD, a count, or the state of a switch */
                value: number | boolean;
                /**
                 * Format: date-time
                 * @description When the value is reset to zero; null if it is not
                 */
                resets_at: string | null;
            } | null;
        };
        Step: {
            /** Format: uuid */
            id: string;
            type: components["schemas"]["StepType"];
            status: components["schemas"]["StepStatus"];
            sequence: number;
            model: string | null;
            tool_name: string | null;
            prompt_tokens: number | null;
            completion_tokens: number | null;
            /** @description null if the model had no active price */
            cost_usd: number | null;
            duration_ms: number | null;
            input_data: components["schemas"]["Payload"];
            output_data: components["schemas"]["Payload"];
            decision: components["schemas"]["Decision"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            created_at: string;
            /** @description null: nothing */
            hold_usd: number | null;
            /**
             * @description price: tokens and a price; reported: stated by the report; estimated: the hold, because there was no report, or tokens that the client estimated; null without cost
             * @enum {string|null}
             */
            cost_source: "price" | "reported" | "estimated" | null;
            /** @description Prompt tokens read from the cache of the provider */
            cache_read_tokens: number | null;
            /** @description Prompt tokens written to the cache of the provider */
            cache_write_tokens: number | null;
            /** @description Completion tokens used for reasoning */
            reasoning_tokens: number | null;
            cost_parts: components["schemas"]["CostParts"];
            /** @description Why the step failed, as reported */
            error: string | null;
        };
        StepReport: {
            step_id: string;
            status: components["schemas"]["EndStatus"];
            /** @description Milliseconds */
            duration_ms?: number | null;
            /** @description Input tokens */
            prompt_tokens?: number | null;
            /** @description Output tokens */
            completion_tokens?: number | null;
            /** @description Prompt tokens that were read from the cache of the provider */
            cache_read_tokens?: number | null;
            /** @description Prompt tokens that were written to the cache of the provider */
            cache_write_tokens?: number | null;
            /** @description Completion tokens that were used for reasoning */
            reasoning_tokens?: number | null;
            /** @description What the provider or the tool states, instead of the price; at most 12 decimal places */
            cost_usd?: number | null;
            output_data?: components["schemas"]["Payload"];
            /** @description Why the step failed; only with status FAILED */
            error?: string | null;
            /** @description Whether the tokens are an estimate, as of a stream that was broken off; null: no */
            estimated?: boolean | null;
        };
        /**
         * @description BLOCKED if a rule denied the step
         * @enum {string}
         */
        StepStatus: "ALLOWED" | "COMPLETED" | "FAILED" | "BLOCKED";
        /** @enum {string} */
        StepType: "INPUT" | "MODEL_CALL" | "TOOL_CALL" | "OUTPUT" | "REASONING" | "SYSTEM";
        StoppedRun: {
            /** Format: uuid */
            id: string;
            status: components["schemas"]["EndStatus"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            ended_at: string;
            /** @enum {string|null} */
            end_reason: "LEASE_EXPIRED" | "STOPPED" | null;
        };
        Token: {
            /** @description A JWT for the Authorization header */
            access_token: string;
            /** @enum {string} */
            token_type: "bearer";
        };
        UpdateStep: {
            status: components["schemas"]["EndStatus"];
            /** @description Milliseconds */
            duration_ms?: number | null;
            /** @description Input tokens */
            prompt_tokens?: number | null;
            /** @description Output tokens */
            completion_tokens?: number | null;
            /** @description Prompt tokens that were read from the cache of the provider */
            cache_read_tokens?: number | null;
            /** @description Prompt tokens that were written to the cache of the provider */
            cache_write_tokens?: number | null;
            /** @description Completion tokens that were used for reasoning */
            reasoning_tokens?: number | null;
            /** @description What the provider or the tool states, instead of the price; at most 12 decimal places */
            cost_usd?: number | null;
            output_data?: components["schemas"]["Payload"];
            /** @description Why the step failed; only with status FAILED */
            error?: string | null;
            /** @description Whether the tokens are an estimate, as of a stream that was broken off; null: no */
            estimated?: boolean | null;
        };
        UpdatedStep: {
            /** Format: uuid */
            id: string;
            status: components["schemas"]["StepStatus"];
        };
        UsageSummary: {
            today: components["schemas"]["CostBreakdown"];
            last_7_days: components["schemas"]["CostBreakdown"];
            last_30_days: components["schemas"]["CostBreakdown"];
            /** @description At most 100 models, most expensive first */
            by_model: components["schemas"]["ModelCost"][];
            /** @description At most 1,000 users, most expensive first */
            by_user: components["schemas"]["UserCost"][];
            /** @description Runs this calendar month */
            monthly_run_count: number;
            /** @description From the plan; null: unlimited */
            monthly_run_limit: number | null;
            /** @description Open holds, which count against the budgets of today */
            held_usd: number;
            other_models?: components["schemas"]["OtherModels"];
        };
        User: {
            user_id: string;
            blocked: boolean;
            /** @description Runs that were allowed to start */
            run_count: number;
            /** @description Spend reported this UTC day */
            spend_today_usd: number;
            /**
             * Format: date-time
             * @description The latest run start; null if there is none
             */
            last_seen_at: string | null;
            /** @description Open holds, which count against the budget of today */
            held_usd: number;
            /** @description Tokens reported this UTC day without a price; not part of spend_today_usd */
            unpriced_tokens_today: number;
            /** @description Spend of the last 30 UTC days, including today */
            spend_30d_usd: number;
            /** @description Why the user is blocked; null if not blocked, or not said */
            block_note: string | null;
            /**
             * Format: date-time
             * @description When the block or its note was set last; null if not blocked, or blocked before this was recorded
             */
            blocked_at: string | null;
            /** @description Who set it: an e-mail, or the label of an API key; null as blocked_at */
            blocked_by: string | null;
        };
        UserCost: {
            user_id: string;
            /** @description Spend of the last 30 days */
            total_usd: number;
            run_count: number;
        };
        UserDay: {
            /**
             * Format: date
             * @description UTC day
             */
            day: string;
            /** @description Spend of the day */
            total_usd: number;
            /** @description All tokens, with or without a price */
            total_tokens: number;
            /** @description Tokens without a price at the time of the report */
            unpriced_tokens: number;
            /** @description Runs that were allowed to start */
            run_count: number;
        };
        UserDetail: {
            user_id: string;
            blocked: boolean;
            /** @description Runs that were allowed to start */
            run_count: number;
            /** @description Spend reported this UTC day */
            spend_today_usd: number;
            /**
             * Format: date-time
             * @description The latest run start; null if there is none
             */
            last_seen_at: string | null;
            /** @description Open holds, which count against the budget of today */
            held_usd: number;
            /** @description Tokens reported this UTC day without a price; not part of spend_today_usd */
            unpriced_tokens_today: number;
            /** @description Spend of the last 30 UTC days, including today */
            spend_30d_usd: number;
            /** @description Why the user is blocked; null if not blocked, or not said */
            block_note: string | null;
            /**
             * Format: date-time
             * @description When the block or its note was set last; null if not blocked, or blocked before this was recorded
             */
            blocked_at: string | null;
            /** @description Who set it: an e-mail, or the label of an API key; null as blocked_at */
            blocked_by: string | null;
            /** @description Spend of these days */
            total_usd: number;
            /** @description All tokens of these days, with or without a price */
            total_tokens: number;
            /** @description Tokens without a price at the time of the report; not part of total_usd */
            unpriced_tokens: number;
            /** @description Oldest first, including today and days without usage */
            by_day: components["schemas"]["UserDay"][];
            /** @description At most 100 models, most expensive first */
            by_model: components["schemas"]["UserModel"][];
            /** @description Denied run starts and steps of these days, by reason */
            denials: {
                reason: components["schemas"]["DenyReason"];
                count: number;
            }[];
            other_models?: components["schemas"]["OtherModelsOfUser"];
        };
        UserModel: {
            model: string;
            /** @description Spend of these days */
            total_usd: number;
            /** @description Input tokens */
            prompt_tokens: number;
            /** @description Output tokens */
            completion_tokens: number;
            /** @description Tokens without a price at the time of the report; not part of total_usd */
            unpriced_tokens: number;
            /** @description Steps with tokens or a cost */
            call_count: number;
        };
        UserName: {
            /** @description The end user */
            user_id: string;
        };
        Workspace: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description URL-safe identifier */
            slug: string;
            kill_switch: boolean;
            /** @description Per UTC day; null: unlimited */
            daily_budget_usd: number | null;
            /** @description Per UTC day, the same for every user; null: unlimited */
            user_daily_budget_usd: number | null;
            max_concurrent_runs: number;
            /** @description A run without any request for so long ends; null: never */
            run_lease_seconds: number | null;
            run_limits: components["schemas"]["WorkspaceRunLimits"];
            /** @description Whether a model call without a hold is denied */
            require_holds: boolean;
            /** @description Whether a call of a model without an active price is denied */
            deny_unpriced_models: boolean;
        };
        /** @description Limits of each run; a run can only tighten them */
        WorkspaceRunLimits: {
            /** @description null: no limit */
            max_cost_usd: number | null;
            /** @description null: no limit */
            max_steps: number | null;
            /** @description null: no limit */
            max_duration_seconds: number | null;
            /** @description null: no limit */
            max_repeats: number | null;
            repeat_exempt_tools: string[];
        };
    };
    responses: {
        /** @description Malformed request, or not possible in the current state */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is too large */
        ContentTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Not available on the plan of the workspace, with the scope of the API key or with the role of the member */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Internal server error */
        InternalServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Not found */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Not modified since the response whose ETag is in If-None-Match */
        NotModified: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The database is unavailable, or the service is overloaded; see Retry-After */
        ServiceUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many failed sign-ins or registrations; see Retry-After */
        TooManyRequests: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No valid credential of the required kind */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A value is missing, of the wrong type or out of range */
        UnprocessableContent: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not JSON, or is compressed */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
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
    listRuns: {
        parameters: {
            query?: {
                status?: components["schemas"]["RunStatus"];
                /** @description Only runs of this user */
                user_id?: string;
                /** @description The first moment */
                from?: string;
                /** @description The moment after the last */
                to?: string;
                end_reason?: components["schemas"]["EndReason"];
                deny_reason?: components["schemas"]["DenyReason"];
                /** @description Only runs with a step that was denied */
                has_denied_steps?: true;
                /** @description Only running runs with a lease and without an accepted write for 5 minutes or more */
                idle?: true;
                /** @description Only runs with this entry at the top of their metadata, as `name=value`. The first 16 entries with a text, a number or a boolean are found, names of up to 64 and values of up to 256 characters, in metadata of up to 4,096 characters. */
                metadata?: string;
                page?: number;
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["RunListItem"][];
                        /** @description The number of matching items on all pages */
                        total: number;
                        page: number;
                        per_page: number;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    startRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe. For 24 hours, the same request with the same key returns the first response and has no further effect; another request with the same key returns 400. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartRun"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedRun"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe. For 24 hours, the same request with the same key returns the first response and has no further effect; another request with the same key returns 400. */
                "idempotency-key"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndRun"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedRun"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sendHeartbeat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Heartbeat"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    stopRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoppedRun"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    search: {
        parameters: {
            query?: {
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResult"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportRuns: {
        parameters: {
            query?: {
                status?: components["schemas"]["RunStatus"];
                /** @description Only runs of this user */
                user_id?: string;
                /** @description The first moment */
                from?: string;
                /** @description The moment after the last */
                to?: string;
                end_reason?: components["schemas"]["EndReason"];
                deny_reason?: components["schemas"]["DenyReason"];
                /** @description Only runs with a step that was denied */
                has_denied_steps?: true;
                /** @description Only running runs with a lease and without an accepted write for 5 minutes or more */
                idle?: true;
                /** @description Only runs with this entry at the top of their metadata, as `name=value`. The first 16 entries with a text, a number or a boolean are found, names of up to 64 and values of up to 256 characters, in metadata of up to 4,096 characters. */
                metadata?: string;
                /** @description csv unless told */
                format?: "csv" | "jsonl";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/jsonl": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createStep: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe. For 24 hours, the same request with the same key returns the first response and has no further effect; another request with the same key returns 400. */
                "idempotency-key"?: string;
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateStep"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedStep"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateStep: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe. For 24 hours, the same request with the same key returns the first response and has no further effect; another request with the same key returns 400. */
                "idempotency-key"?: string;
            };
            path: {
                run_id: string;
                step_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateStep"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdatedStep"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listRunDecisions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExplainedDecision"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listModelPrices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelPrice"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    putModelPrice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Model identifier */
                model: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutModelPrice"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelPrice"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    searchModelPricingCatalogue: {
        parameters: {
            query?: {
                query?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CataloguePrice"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    lookUpModelPrices: {
        parameters: {
            query?: {
                model?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueMatch"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchWorkspace"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setKillSwitch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetKillSwitch"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                blocked?: boolean;
                /** @description The beginning of the user_id */
                search?: string;
                sort?: "spend";
                page?: number;
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["User"][];
                        /** @description The number of matching items on all pages */
                        total: number;
                        page: number;
                        per_page: number;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    blockUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BlockUser"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unblockUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    blockUserByBody: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BlockUserByName"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unblockUserByBody: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserName"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUser: {
        parameters: {
            query?: {
                days?: number;
                /** @description Instead of the name in the path: for `.` and `..`, which clients remove from a path */
                name?: string;
            };
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserDetail"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getModel: {
        parameters: {
            query?: {
                days?: number;
                /** @description Instead of the name in the path: for `.` and `..`, which clients remove from a path */
                name?: string;
            };
            header?: never;
            path: {
                /** @description Model identifier */
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelDetail"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUsageSummary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageSummary"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDailyUsage: {
        parameters: {
            query?: {
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DailyUsage"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getGuardrailEffects: {
        parameters: {
            query?: {
                days?: number;
                max_cost_usd?: number;
                /** @description Without denied ones */
                max_steps?: number;
                /** @description Since the start of the run */
                max_duration_seconds?: number;
                run_lease_seconds?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GuardrailEffects"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Register"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Registered"];
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Login"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePassword"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetPassword"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"];
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    logOutEverywhere: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe. For 24 hours, the same request with the same key returns the first response and has no further effect; another request with the same key returns 400. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKey"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    regenerateApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                member_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                member_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeRole"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InviteMember"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewInvitation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                action?: components["schemas"]["AuditAction"];
                /** @description The id of an account or an API key */
                actor_id?: string;
                /** @description The first moment */
                from?: string;
                /** @description The moment after the last */
                to?: string;
                page?: number;
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["AuditEntry"][];
                        /** @description The number of matching items on all pages */
                        total: number;
                        page: number;
                        per_page: number;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    streamEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getBilling: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Billing"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setPlan: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetPlan"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Billing"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["BadRequest"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["BadRequest"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getGateway: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Gateway"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
