import type { Document } from '../api/types.ts';
import { formatName, formatValue } from '../ui/format.ts';

/** The extracted values, what is in doubt, and what the machine had read. */
export function FieldTable({ document }: { document: Document }) {
  const { structuredData, machineData, verdict } = document;
  const values = structuredData ?? {};
  const changed = (name: string) =>
    machineData && JSON.stringify(machineData[name]) !== JSON.stringify(values[name]);
  return (
    <section className="panel">
      <h2>Fields</h2>
      <table className="list">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Value</th>
            <th scope="col">Remarks</th>
          </tr>
        </thead>
        <tbody>
          {Object.keys(values).map((name) => (
            <tr key={name}>
              <td data-label="Field">{formatName(name)}</td>
              <td data-label="Value">{formatValue(values[name])}</td>
              <td data-label="Remarks">
                {changed(name) && <>was read as {formatValue(machineData?.[name])}. </>}
                {verdict?.fields[name]?.reason}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
