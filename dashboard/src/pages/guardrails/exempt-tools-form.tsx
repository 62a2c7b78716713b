import type { Schemas } from '../../api/api-client.ts';
import { describeNames, parseNames, toNamesText } from '../../format/tool-names.ts';
import { type Setting, SettingForm } from './setting-form.tsx';

const EXEMPT_TOOLS: Setting<readonly string[]> = {
  label: 'Tools that may repeat',
  description: 'Their calls never count as equal. Separate names with commas.',
  placeholder: 'No tools',
  inputMode: 'text',
  valueIn: ({ run_limits }) => run_limits.repeat_exempt_tools,
  toText: toNamesText,
  parse: parseNames,
  toPatch: (names) => ({ run_limits: { repeat_exempt_tools: [...names] } }),
  preview: (names) => `Saves ${describeNames(names)}`,
  describe: describeNames,
  applies: 'It applies from the next decision, also to active runs.',
};

/** The tools that the limit of equal steps does not count. */
export function ExemptToolsForm({ workspace }: { readonly workspace: Schemas['Workspace'] }) {
  return <SettingForm setting={EXEMPT_TOOLS} workspace={workspace} />;
}
