const descriptions: Readonly<Record<string, string>> = {
  claim: 'Checks that all bytes are stored and finds out the type of the file',
  unpack: 'Takes the entries out of archives, mailboxes and messages',
  transcribe: 'Reads the text of a document, with OCR where it has none',
  preprocess: 'Cleans up pages that could not be read, then has them read again',
  extract: 'Finds the type of the document and its data, and checks it',
  finalize: 'Records the result',
  deliver: 'Hands the document over to a document manager',
  quarantine: 'Documents whose worker died; each runs alone in a process of its own',
};

export function describeQueue(queue: string): string {
  const stage = queue.replace(/-large$/, '');
  const text = descriptions[stage] ?? '';
  return stage === queue ? text : `${text} (large documents, and those that failed before)`;
}

/** `transcribe` and `transcribe-large` become `transcribe/small` and `transcribe/large`. */
export function showLane(queue: string, all: ReadonlyMap<string, unknown>): string {
  if (queue.endsWith('-large')) return queue.replace(/-large$/, '/large');
  return all.has(`${queue}-large`) ? `${queue}/small` : queue;
}
