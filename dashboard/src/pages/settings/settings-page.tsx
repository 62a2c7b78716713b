import { useEffect } from 'react';
import { PageHeader } from '../../components/page-header.tsx';
import { ApiKeysPanel } from './api-keys-panel.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { PlanPanel } from './plan-panel.tsx';
import { WorkspacePanel } from './workspace-panel.tsx';

export function SettingsPage() {
  useEffect(() => {
    // The page renders after the navigation, so the browser does not find the section of the hash by itself.
    const section = document.getElementById(window.location.hash.slice(1));
    section?.scrollIntoView();
  }, []);
  return (
    <>
      <PageHeader title="Settings" />
      <div className="stack">
        <WorkspacePanel />
        <ApiKeysPanel />
        <PlanPanel />
        <PasswordPanel />
      </div>
    </>
  );
}
