import { type FileHandle, open } from 'node:fs/promises';

/** A compound file has far fewer entries; recognising one must not take long. */
const maxSectors = 4096;
const endOfChain = 0xfffffffa;
const none = 0xffffffff;
const entryBytes = 128;
const headerFatSectors = 109;

/**
 * Names of the streams and storages at the top of a compound file (OLE). Reads its directory only;
 * a damaged file may give fewer names.
 */
export async function listRootNames(path: string): Promise<string[]> {
  const file = await open(path);
  try {
    const header = await readAt(file, 0, 512);
    if (header.length < 512) return [];
    const sectorBytes = 2 ** Math.min(Math.max(header.readUInt16LE(30), 7), 16);
    const directory = await readDirectory(file, header, sectorBytes);
    return childrenOfRoot(directory);
  } finally {
    await file.close();
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

async function readDirectory(
  file: FileHandle,
  header: Buffer,
  sectorBytes: number,
): Promise<Buffer> {
  const sectors: Buffer[] = [];
  const perSector = sectorBytes / 4;
  const readSector = (number: number) => readAt(file, (number + 1) * sectorBytes, sectorBytes);
  const nextSector = async (sector: number): Promise<number> => {
    const index = Math.floor(sector / perSector);
    // Files above 7 MB continue the list elsewhere; their directory is taken as contiguous.
    if (index >= headerFatSectors) return sector + 1;
    const fat = await readSector(header.readUInt32LE(76 + 4 * index));
    const at = 4 * (sector % perSector);
    return at + 4 <= fat.length ? fat.readUInt32LE(at) : none;
  };
  let sector = header.readUInt32LE(48);
  while (sector < endOfChain && sectors.length < maxSectors) {
    const bytes = await readSector(sector);
    if (bytes.length === 0) break;
    sectors.push(bytes);
    sector = await nextSector(sector);
  }
  return Buffer.concat(sectors);
}

/** The entries form a tree of siblings below the root, which is the first entry. */
function childrenOfRoot(directory: Buffer): string[] {
  if (directory.length < entryBytes) return [];
  const names: string[] = [];
  const seen = new Set<number>();
  const waiting = [directory.readUInt32LE(76)];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const at = id * entryBytes;
    if (id === none || seen.has(id) || at + entryBytes > directory.length) continue;
    seen.add(id);
    const length = Math.min(directory.readUInt16LE(at + 64), 64);
    names.push(directory.toString('utf16le', at, at + Math.max(0, length - 2)));
    waiting.push(directory.readUInt32LE(at + 68), directory.readUInt32LE(at + 72));
  }
  return names;
}
