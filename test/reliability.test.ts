import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { invariants } from '../src/engine/invariants.ts';
import { distributedFaults } from './chaos/distributed.ts';
import { distributedTrials, endless, trialsWith } from './chaos/trials.ts';

/**
 * The page names, in the last column of its tables, what shows each claim: `file.test.ts`: a test · another · campaign: a
 * trial. Where a name is long, … stands for the rest; what is in brackets is said to people.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const page = await readFile(join(root, 'docs', 'reliability-tests.md'), 'utf8');
const sources = (await Promise.all(['src', 'test'].map(filesIn))).flat();
const trials = Object.keys({
  ...trialsWith(0),
  ...endless(0),
  ...distributedFaults,
  ...distributedTrials(0),
  'all of it, in any order': undefined,
});

async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(join(root, folder), { recursive: true });
  return names.map((name) => join(folder, name));
}

/** The last cells of the table in a section. */
function cellsOf(heading: string): string[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(heading)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(1).map((row) => row.split('|').at(-2)?.trim() ?? '');
}

interface Reference {
  /** A file of tests, or the campaign. */
  where: string;
  /** The whole of it when absent. */
  what: string | undefined;
}

function referencesIn(cell: string): Reference[] {
  let where = '';
  return cell
    .replaceAll(/ ?\([^)]*\)/g, '')
    .split(' · ')
    .map((part) => {
      const [, place, rest] = /^(?:(`[^`]+\.test\.ts`|campaign)(?:: |$))?(.*)$/.exec(part) ?? [];
      if (place) where = place.replaceAll('`', '');
      return { where, what: rest || undefined };
    });
}

/** Whether a text has these words in this order, whatever stands for the dots. */
function says(text: string, name: string): boolean {
  let from = 0;
  return name.split('…').every((piece) => {
    const at = text.indexOf(piece.trim(), from);
    from = at + piece.trim().length;
    return at >= 0;
  });
}

async function isThere({ where, what }: Reference): Promise<boolean> {
  if (where === 'campaign') return what === undefined || trials.some((trial) => says(trial, what));
  const files = sources.filter((file) => file.endsWith(`/${where}`));
  const texts = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')));
  return texts.some(
    (text) => what === undefined || text.split('\n').some((line) => says(line, what)),
  );
}

describe.each(['The guards', 'Transitions', 'Faults'])('%s', (heading) => {
  const cells = cellsOf(heading);
  test('are in the page', () => expect(cells.length).toBeGreaterThan(10));

  test.each(cells)('%s', async (cell) => {
    const missing: Reference[] = [];
    for (const reference of referencesIn(cell))
      if (!(await isThere(reference))) missing.push(reference);
    expect(missing).toEqual([]);
  });
});

test('invariants are named as `millrace check` names them, and none is left out', () => {
  const named = [
    ...cellsOf('Invariants')
      .join(' ')
      .matchAll(/`([a-z]+(?:-[a-z]+)+)`/g),
  ].map(([, name]) => name);
  expect(named.toSorted()).toEqual(Object.keys(invariants).toSorted());
});
