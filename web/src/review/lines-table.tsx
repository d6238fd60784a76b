import { formatName } from '../ui/format.ts';
import type { Row } from './draft.ts';

interface Props {
  columns: string[];
  rows: Row[];
  onChange: (rows: Row[]) => void;
}

/** Line items as a table of inputs. */
export function LinesTable({ columns, rows, onChange }: Props) {
  const edit = (at: number, column: string, text: string) =>
    onChange(rows.map((row, i) => (i === at ? { ...row, [column]: text } : row)));
  return (
    <div className="lines">
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {formatName(column)}
              </th>
            ))}
            <th>
              <span className="hidden">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its position only
            <tr key={i}>
              {columns.map((column) => (
                <td key={column}>
                  <input
                    aria-label={`${formatName(column)}, row ${i + 1}`}
                    value={row[column] ?? ''}
                    onChange={(event) => edit(i, column, event.target.value)}
                  />
                </td>
              ))}
              <td>
                <button
                  type="button"
                  className="quiet"
                  aria-label={`Remove row ${i + 1}`}
                  onClick={() => onChange(rows.filter((_, other) => other !== i))}
                >
                  ×
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" className="quiet" onClick={() => onChange([...rows, {}])}>
        Add a row
      </button>
    </div>
  );
}
