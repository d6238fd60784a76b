import type { Millrace } from '../src/index.ts';

/** Replays the dead letters of one kind of failure, after a preview. Returns how many there are. */
export async function replayKind(millrace: Millrace, code: string): Promise<number> {
  const { groups } = await millrace.call('listDeadLetterGroups');
  const wanted = groups.filter((group) => group.code === code);
  for (const { fingerprint } of wanted) {
    const body = { filters: { fingerprint } };
    await millrace.call('replayDeadLetters', { body: { ...body, dryRun: true } });
    await millrace.call('replayDeadLetters', { body });
  }
  return wanted.reduce((sum, { count }) => sum + count, 0);
}

/** The names of all documents with an open dead letter, whatever their number. */
export async function failedDocuments(millrace: Millrace): Promise<string[]> {
  const names: string[] = [];
  for await (const letter of millrace.each('listDeadLetters', { query: { state: 'open' } })) {
    names.push(letter.documentName ?? letter.id);
  }
  return names;
}
