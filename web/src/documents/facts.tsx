import { formatName, formatValue } from '../ui/format.ts';

/** Names and values. */
export function Facts({ title, values }: { title: string; values: Record<string, unknown> }) {
  return (
    <section className="panel">
      <h2>{title}</h2>
      <dl className="facts">
        {Object.entries(values).flatMap(([name, value]) => [
          <dt key={name}>{formatName(name)}</dt>,
          <dd key={`${name} value`}>{formatValue(value)}</dd>,
        ])}
      </dl>
    </section>
  );
}
