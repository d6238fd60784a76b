import { expect, test } from 'vitest';
import { examineSandbox } from './sandbox.ts';

const none = { wrap: () => [], limitsResources: false, dropsRights: false, isolates: false };
const all = { wrap: () => [], limitsResources: true, dropsRights: true, isolates: true };

test('a machine that allows everything is reported without a warning', async () => {
  const { found, fix } = await examineSandbox('workspace', { ...all, reasons: [] });
  expect(found).toContain('no network');
  expect(fix).toBeUndefined();
});

test('whatever is not active is named, with the reason', async () => {
  const reasons = ['no isolation: unshare failed: Operation not permitted'];
  const { found, fix } = await examineSandbox('all', { ...none, reasons });
  expect(found).toMatch(
    /^none; not active: no network, .*not shared between workspaces \(no isolation: .*; MILLRACE_SANDBOX_SHARE is all\)$/,
  );
  expect(fix).toContain('user namespaces');
});
