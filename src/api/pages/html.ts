const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Markup that is safe to insert into a page without escaping. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Builds markup. Inserted values are escaped unless they are Html themselves. */
export function html(parts: TemplateStringsArray, ...values: (Html | Html[] | string)[]): Html {
  const filled = parts.map((part, i) => part + (i < values.length ? markup(values[i] ?? '') : ''));
  return new Html(filled.join(''));
}

function markup(value: Html | Html[] | string): string {
  if (Array.isArray(value)) return value.map(markup).join('');
  return value instanceof Html
    ? value.text
    : value.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

const style = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --accent: #2563eb }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.5rem 6rem; font: 16px/1.55 system-ui, sans-serif }
h1 { font-size: 1.6rem; margin: 0 0 .3rem } h2 { margin: 2.5rem 0 .8rem; font-size: 1.2rem }
a { color: var(--accent) } code, pre { font: .88em/1.5 ui-monospace, monospace }
pre { background: var(--soft); padding: .8rem 1rem; border-radius: 6px; overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .93rem } td, th { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top }
details { border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0; padding: .45rem .8rem } summary { cursor: pointer }
nav { display: flex; flex-wrap: wrap; gap: .2rem 1rem }
.method { display: inline-block; min-width: 4.5rem; font-weight: 600; font-family: ui-monospace, monospace }
.muted { opacity: .75 } .problem { color: #b91c1c; font-weight: 600 }
form.login { max-width: 24rem; margin: 12vh auto 0; padding: 1.6rem; border: 1px solid var(--line); border-radius: 10px }
label { display: block; margin: 1rem 0 .3rem } input { width: 100%; padding: .55rem .7rem; font: inherit; border: 1px solid var(--line); border-radius: 6px }
button { margin-top: 1rem; padding: .55rem 1.1rem; font: inherit; color: #fff; background: var(--accent); border: 0; border-radius: 6px; cursor: pointer }
`;

/** A complete page, without scripts or external resources. */
export function page(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><title>${title} · Millrace</title><style>${new Html(style)}</style></head>
<body>
${body}
</body>
</html>
`.text;
}
