import { PageHeader } from '../../components/page-header.tsx';
import { ApiKeysPanel } from './api-keys-panel.tsx';
import { MembersPanel } from './members-panel.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { PlanPanel } from './plan-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import { WorkspacePanel } from './workspace-panel.tsx';

export function SettingsPage() {
  return (
    <>
      <PageHeader title="Settings" needs="own" />
      <div className="stack">
        <WorkspacePanel />
        <ApiKeysPanel />
        <MembersPanel />
        <PlanPanel />
        <PasswordPanel />
        <SessionsPanel />
      </div>
    </>
  );
}
