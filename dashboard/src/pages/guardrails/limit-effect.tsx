import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/api-client.ts';
import { guardrailEffectsQuery } from '../../api/queries.ts';
import {
  describeEffect,
  describeHolds,
  type EffectField,
  savedLimits,
} from '../../format/guardrail-effects.ts';
import classes from './limit-effect.module.css';

const TYPING_PAUSE_MS = 300;

interface LimitEffectProps {
  readonly field: EffectField;
  readonly workspace: Schemas['Workspace'];
  /** As typed. */
  readonly limit: number | null;
}

/** What the typed limit would have changed in the last days. */
export function LimitEffect({ field, workspace, limit }: LimitEffectProps) {
  const [settled] = useDebouncedValue(limit, TYPING_PAUSE_MS);
  // One request has the effects of all saved limits; a typed one has a request of its own.
  const saved = savedLimits(workspace);
  const isSaved = settled === null || settled === saved[field];
  const { data, isError } = useQuery(guardrailEffectsQuery(isSaved ? saved : { [field]: settled }));
  if (isError && data === undefined) return null;
  const isCurrent = data !== undefined && settled === limit;
  const words = isCurrent ? describeEffect(field, limit, data) : 'Comparing with recent runs…';
  return words === null ? null : <p className={classes.effect}>{words}</p>;
}

/** What requiring holds would have changed. */
export function HoldsEffect({ workspace }: Pick<LimitEffectProps, 'workspace'>) {
  const { data } = useQuery(guardrailEffectsQuery(savedLimits(workspace)));
  return data === undefined ? null : <p className={classes.effect}>{describeHolds(data)}</p>;
}
