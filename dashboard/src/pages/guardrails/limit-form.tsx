import type { Schemas } from '../../api/api-client.ts';
import { hasEffect } from '../../format/guardrail-effects.ts';
import {
  describeLimit,
  LIMITS,
  type LimitField,
  limitIn,
  limitInput,
  parseLimit,
  toPatch,
} from '../../format/limits.ts';
import { toPlainDecimal } from '../../format/money.ts';
import { LimitEffect } from './limit-effect.tsx';
import { type Setting, SettingForm } from './setting-form.tsx';

interface LimitFormProps {
  readonly field: LimitField;
  readonly workspace: Schemas['Workspace'];
  readonly disabled: boolean;
}

export function LimitForm({ field, ...props }: LimitFormProps) {
  const { workspace } = props;
  const effectOf = hasEffect(field)
    ? (limit: number | null) => <LimitEffect field={field} workspace={workspace} limit={limit} />
    : undefined;
  return <SettingForm setting={settingOf(field)} effectOf={effectOf} {...props} />;
}

function settingOf(field: LimitField): Setting<number | null> {
  const { label, description, empty, applies } = LIMITS[field];
  return {
    label,
    description,
    placeholder: empty?.placeholder ?? '',
    ...limitInput(field),
    valueIn: (workspace) => limitIn(workspace, field),
    toText: (limit) => (limit === null ? '' : toPlainDecimal(limit)),
    parse: (text) => parseLimit(field, text),
    toPatch: (limit) => toPatch(field, limit),
    preview: (limit) => (limit === null ? (empty?.effect ?? '') : `Saves ${describeLimit(field, limit)}`),
    describe: (limit) => describeLimit(field, limit),
    applies,
  };
}
