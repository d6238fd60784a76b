import type { Share } from '../domain/sandbox-share.ts';
import { findLauncher } from '../sandbox/launcher.ts';
import type { Finding } from './check.ts';

/** Which protections apply to the processes that read documents, and why others do not. */
export async function examineSandbox(share: Share, launcher = findLauncher()): Promise<Finding> {
  const protections = {
    'no network': launcher.isolates,
    'own data hidden': launcher.isolates,
    'no new privileges': launcher.dropsRights,
    'killed with the parent': launcher.dropsRights,
    'limits of memory, CPU, file size': launcher.limitsResources,
    'not shared between workspaces': share !== 'all',
  };
  const named = (isActive: boolean) =>
    Object.entries(protections)
      .filter(([, active]) => active === isActive)
      .map(([name]) => name);
  const inactive = named(false);
  const found = named(true).join(', ') || 'none';
  if (inactive.length === 0) return { found };
  const reasons = [
    ...launcher.reasons,
    ...(share === 'all' ? ['MILLRACE_SANDBOX_SHARE is all'] : []),
  ];
  return {
    found: `${found}; not active: ${inactive.join(', ')} (${reasons.join('; ')})`,
    fix: 'Install util-linux, and allow user namespaces where Millrace runs (see docs/security.md).',
  };
}
