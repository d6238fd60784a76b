export interface NamedFile {
  /** With its folders, such as `2026/may/invoice.pdf`. */
  name: string;
  file: File;
}

/** All files of a drop, at any depth of its folders. */
export async function readDrop(transfer: DataTransfer): Promise<NamedFile[]> {
  // Entries are gone after the event, so they are taken before the first wait.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  return (await Promise.all(entries.map(readEntry))).flat();
}

export function readInput(input: HTMLInputElement): NamedFile[] {
  return [...(input.files ?? [])].map((file) => ({
    name: file.webkitRelativePath || file.name,
    file,
  }));
}

async function readEntry(entry: FileSystemEntry): Promise<NamedFile[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [{ name: entry.fullPath.replace(/^\//, ''), file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: FileSystemEntry[] = [];
  // Browsers return a hundred entries at a time, and none at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) break;
    found.push(...some);
  }
  return (await Promise.all(found.map(readEntry))).flat();
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}
