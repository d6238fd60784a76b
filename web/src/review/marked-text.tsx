/** Text with the first occurrence of a part marked. */
export function MarkedText({ text, mark }: { text: string; mark: string | undefined }) {
  const at = mark ? text.indexOf(mark) : -1;
  if (!mark || at < 0) return <pre>{text}</pre>;
  return (
    <pre>
      {text.slice(0, at)}
      <mark>{mark}</mark>
      {text.slice(at + mark.length)}
    </pre>
  );
}
