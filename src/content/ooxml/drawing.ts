import type { TextWriter } from '../office/text-writer.ts';
import { walkXml } from '../xml/walk-xml.ts';
import { writeChart } from './chart.ts';
import { drawingVisitor } from './drawing-text.ts';
import { pictureMarker } from './media.ts';
import type { Relationship } from './relationships.ts';
import { readRelationships } from './relationships.ts';
import type { ZipParts } from './zip-parts.ts';

/** Charts and diagrams that a part shows, in the order of its relationships. */
export async function writeDrawings(
  parts: ZipParts,
  relationships: readonly Relationship[],
  writer: TextWriter,
): Promise<boolean> {
  let complete = true;
  for (const { type, target } of relationships) {
    if (type === 'chart' || type === 'chartEx')
      complete = (await writeChart(parts, target, writer)) && complete;
    if (type === 'diagramData')
      complete = (await walkXml(parts.read(target), drawingVisitor(writer))) && complete;
    if (type === 'chartUserShapes' || type === 'drawing')
      complete = (await writeShapes(parts, target, writer)) && complete;
  }
  return complete;
}

async function writeShapes(parts: ZipParts, part: string, writer: TextWriter): Promise<boolean> {
  writer.endLine();
  const related = await readRelationships(parts, part);
  const markPicture = pictureMarker(parts, related, writer);
  const complete = await walkXml(parts.read(part), drawingVisitor(writer, { markPicture }));
  const inside = related.filter(({ type }) => type !== 'drawing');
  return (await writeDrawings(parts, inside, writer)) && complete;
}
