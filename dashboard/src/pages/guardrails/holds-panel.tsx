import type { Schemas } from '../../api/api-client.ts';
import { Panel } from '../../components/panel.tsx';
import { HOLDS_SECTION } from '../../format/denial-remedies.ts';
import { HoldsEffect } from './limit-effect.tsx';
import { SettingSwitch } from './setting-switch.tsx';

/** Whether model calls must hold what they may cost. */
export function HoldsPanel({ workspace }: { readonly workspace: Schemas['Workspace'] }) {
  return (
    <Panel
      title="Holds"
      id={HOLDS_SECTION}
      description="With an estimate, a step holds what it may cost: its budgets count the hold until the step is reported or the run ends."
    >
      <SettingSwitch
        workspace={workspace}
        field="require_holds"
        label="Require holds"
        saved={(required) => `holds are ${required ? 'required' : 'optional'}`}
        effect={!workspace.require_holds && <HoldsEffect workspace={workspace} />}
      >
        A model call without an estimate, or whose model has no price, is denied. A budget is then a ceiling
        as long as no call costs more than its hold.
      </SettingSwitch>
    </Panel>
  );
}
