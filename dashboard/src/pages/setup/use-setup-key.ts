import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../../api/api-client.ts';
import { apiKeysQuery } from '../../api/queries.ts';
import { freshApiKey, SETUP_KEY, setFreshApiKey } from '../../session/fresh-api-key.ts';

export interface SetupKey {
  /** null: none that can be shown. */
  readonly apiKey: string | null;
  /** Whether it is not known yet if the key of the registration can be used. */
  readonly isLoading: boolean;
  readonly isPending: boolean;
  readonly error: unknown;
  create(): void;
}

/** The key of the code: the one of the registration while it is in memory and active, or one that is created here. */
export function useSetupKey(): SetupKey {
  const queryClient = useQueryClient();
  const keys = useQuery(apiKeysQuery);
  const [created, setCreated] = useState<string | null>(null);
  const create = useMutation({
    mutationFn: () => unwrap(api.POST('/v1/api-keys/', { body: SETUP_KEY })),
    onSuccess: async ({ key }) => {
      setFreshApiKey(key);
      setCreated(key);
      await queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey });
    },
  });
  const fresh = freshApiKey();
  // It may have been revoked, or belong to the workspace of someone who has signed out.
  const isUsable = keys.data?.some(
    ({ prefix, is_active }) => is_active && fresh?.startsWith(`lg_${prefix}_`),
  );
  return {
    apiKey: created ?? (isUsable === true ? fresh : null),
    isLoading: created === null && fresh !== null && keys.isPending,
    isPending: create.isPending,
    error: create.error,
    create: () => create.mutate(),
  };
}
