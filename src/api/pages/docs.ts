import { z } from 'zod';
import type { Answer, Operation } from '../openapi/operation.ts';
import { type Html, html, page } from './html.ts';

/** The description of the API for people: no script, nothing from elsewhere. */
export function docsPage(operations: readonly Operation[]): string {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return page(
    'API',
    html`<h1>Millrace API</h1>
<p class="muted">Send <code>Authorization: Bearer mr_…</code> with every request that is not open. Errors are <code>application/problem+json</code>
with <code>code</code>, <code>retryable</code> and <code>hint</code>. The same for programs: <a href="/openapi.json">openapi.json</a> ·
for operators: <a href="/admin/queues">queues</a>, <a href="/login">log in</a>.</p>
<p>${tags.map((tag) => html`<a href="#${anchor(tag)}">${tag}</a> `)}</p>
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

function entry({ method, path, summary, access, query, body, uploads = {}, answers }: Operation): Html {
  return html`<details>
<summary><span class="method">${method.toUpperCase()}</span> <code>${path}</code> <span class="muted">${summary}</span></summary>
<p class="muted">${access === 'open' ? 'Open to everybody.' : `Needs the role ${access}.`}</p>
${query ? parameters(query) : ''}
${Object.entries(uploads).map(([type, what]) => html`<p>Body as <code>${type}</code>: ${what}.</p>`)}
${body ? html`<p>Body</p>${schema(body, 'input')}` : ''}
${Object.entries(answers).map(([status, answer]) => answered(status, answer))}
</details>`;
}

function parameters(query: z.ZodObject): Html {
  const rows = Object.entries(query.shape).map(([name, type]) => {
    const { description, ...rest } = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' });
    return html`<tr><td><code>${name}</code></td><td><code>${typeText(rest)}</code></td><td>${description ?? ''}</td></tr>`;
  });
  return html`<table><tr><th>parameter</th><th>type</th><th></th></tr>${rows}</table>`;
}

function typeText({ type, enum: choices, format, default: standard }: z.core.JSONSchema.JSONSchema): string {
  const kind = choices ? choices.join(' | ') : [type ?? 'any', format].filter(Boolean).join(', ');
  return standard === undefined ? kind : `${kind} = ${JSON.stringify(standard)}`;
}

function answered(status: string, { description, schema: shape, mediaType }: Answer): Html {
  return html`<p><strong>${status}</strong> ${description} ${mediaType ? html`<code>${mediaType}</code>` : ''}</p>
${shape ? schema(shape, 'output') : ''}`;
}

function schema(type: z.ZodType, io: 'input' | 'output'): Html {
  const { $schema, ...rest } = z.toJSONSchema(type, { io, unrepresentable: 'any' });
  return html`<details><summary class="muted">schema</summary><pre>${JSON.stringify(rest, null, 2)}</pre></details>`;
}
