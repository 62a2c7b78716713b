import type { Schemas } from '../../api/api-client.ts';
import { Panel } from '../../components/panel.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { UNPRICED_MODELS_SECTION } from '../../format/denial-remedies.ts';
import { SettingSwitch } from './setting-switch.tsx';

/** Whether model calls without a price are denied. */
export function UnpricedModelsPanel({ workspace }: { readonly workspace: Schemas['Workspace'] }) {
  return (
    <Panel
      title="Models without a price"
      id={UNPRICED_MODELS_SECTION}
      description="The cost of their tokens is unknown and does not count towards budgets."
    >
      <SettingSwitch
        workspace={workspace}
        field="deny_unpriced_models"
        label="Deny models without a price"
        saved={(denied) => `models without a price are ${denied ? 'denied' : 'allowed'}`}
      >
        A model call whose model has no active price on the <TextLink href="/prices">prices</TextLink> page is
        denied, as is one that names no model. Names must match exactly, including dates.
      </SettingSwitch>
    </Panel>
  );
}
