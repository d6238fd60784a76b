/** Writes the objects of a PDF, numbered from 1. The first is the catalog. */
export function writePdf(objects: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets = objects.map((object, i) => {
    const at = parts.reduce((sum, { length }) => sum + length, 0);
    parts.push(Buffer.from(`${i + 1} 0 obj\n`), object, Buffer.from('\nendobj\n'));
    return at;
  });
  const start = parts.reduce((sum, { length }) => sum + length, 0);
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`);
  const size = objects.length + 1;
  parts.push(
    Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}`),
    Buffer.from(`trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`),
  );
  return Buffer.concat(parts);
}
