import { z } from 'zod';
import type { Operation, OperationAnswer } from '../openapi/operation.ts';
import { type Html, html, page } from './html.ts';

/** The API reference as one HTML page, without scripts or external resources. */
export function docsPage(operations: readonly Operation[]): string {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return page(
    'API',
    html`<h1>Millrace API</h1>
<p class="muted">Send <code>Authorization: Bearer mr_…</code> with every request, except to public
endpoints. Errors are <code>application/problem+json</code> with <code>code</code>,
<code>retryable</code> and <code>hint</code>. Machine-readable:
<a href="/openapi.json">openapi.json</a> · for operators:
<a href="/admin/queues">queues</a>, <a href="/login">log in</a>.</p>
<nav>${tags.map((tag) => html`<a href="#${anchor(tag)}">${tag}</a>`)}</nav>
${tags.map((tag) =>
  section(
    tag,
    operations.filter((operation) => operation.tag === tag),
  ),
)}`,
  );
}

function section(tag: string, operations: readonly Operation[]): Html {
  return html`<h2 id="${anchor(tag)}">${tag}</h2>
${operations.map(entry)}`;
}

function anchor(tag: string): string {
  return tag.replaceAll(' ', '-');
}

function entry({
  method,
  path,
  summary,
  access,
  query,
  body,
  uploads = {},
  answers,
}: Operation): Html {
  return html`<details>
<summary><span class="method">${method.toUpperCase()}</span> <code>${path}</code> <span class="muted">${summary}</span></summary>
<p class="muted">${accessText(access)}</p>
${query ? parameters(query) : ''}
${Object.entries(uploads).map(([type, what]) => html`<p>Body as <code>${type}</code>: ${what}.</p>`)}
${body ? html`<p>Body</p>${schema(body, 'input')}` : ''}
${Object.entries(answers).map(([status, answer]) => responseEntry(status, answer))}
</details>`;
}

function accessText(access: Operation['access']): string {
  return access === 'open' ? 'Public; no key required.' : `Requires the role ${access} or higher.`;
}

function parameters(query: z.ZodObject): Html {
  return table(
    'parameter',
    membersOf(z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' })),
  );
}

interface Member {
  name: string;
  type: string;
  description: string;
}

function table(heading: string, members: readonly Member[]): Html {
  const rows = members.map(
    ({ name, type, description }) =>
      html`<tr><td><code>${name}</code></td><td><code>${type}</code></td><td>${description}</td></tr>`,
  );
  return html`<table><tr><th>${heading}</th><th>type</th><th></th></tr>${rows}</table>`;
}

function membersOf({ properties = {}, required = [] }: z.core.JSONSchema.JSONSchema): Member[] {
  return Object.entries(properties).map(([name, type]) => {
    const { description = '', ...shape } = typeof type === 'boolean' ? {} : type;
    return {
      name: required.includes(name) ? name : `${name}?`,
      type: typeText(shape),
      description,
    };
  });
}

function typeText(shape: z.core.JSONSchema.JSONSchema): string {
  const { type, enum: choices, const: only, format, anyOf, items, default: standard } = shape;
  const kind = only !== undefined ? JSON.stringify(only) : choices?.join(' | ');
  const either = anyOf
    ?.map((each) => (typeof each === 'boolean' ? 'any' : typeText(each)))
    .join(' | ');
  const list =
    items && !Array.isArray(items) && typeof items === 'object'
      ? `${typeText(items)}[]`
      : undefined;
  const text = kind ?? either ?? list ?? format ?? [type ?? 'any'].flat().join(' | ');
  return standard === undefined ? text : `${text} = ${JSON.stringify(standard)}`;
}

function responseEntry(
  status: string,
  { description, schema: shape, mediaType }: OperationAnswer,
): Html {
  return html`<p><strong>${status}</strong> ${description} ${mediaType ? html`<code>${mediaType}</code>` : ''}</p>
${shape ? schema(shape, 'output') : ''}`;
}

/** Only the top level of an object; /openapi.json has the full schema. */
function schema(type: z.ZodType, io: 'input' | 'output'): Html {
  const { $schema, ...shape } = z.toJSONSchema(type, { io, unrepresentable: 'any' });
  const members = membersOf(shape);
  if (members.length > 0)
    return html`<details><summary class="muted">members</summary>${table('member', members)}</details>`;
  return html`<details><summary class="muted">schema</summary><pre>${JSON.stringify(shape, null, 2)}</pre></details>`;
}
