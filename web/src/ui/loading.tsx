export function Loading({ what }: { what: string }) {
  return (
    <p className="note muted" role="status">
      Loading {what} …
    </p>
  );
}
