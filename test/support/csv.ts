/** Reads CSV by RFC 4180, so that exports are read by rules and not by how they happen to look. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const [field, end] = text[at] === '"' ? readQuoted(text, at) : readPlain(text, at);
    row.push(field);
    if (text[end] === ',') {
      at = end + 1;
      if (at === text.length) row.push('');
      continue;
    }
    if (end < text.length && !text.startsWith('\r\n', end)) throw new Error(`No end of line at ${end}`);
    rows.push(row);
    row = [];
    at = end + 2;
  }
  return rows;
}

function readQuoted(text: string, start: number): [field: string, end: number] {
  let field = '';
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] !== '"') field += text[at];
    else if (text[at + 1] === '"') {
      field += '"';
      at += 1;
    } else return [field, at + 1];
  }
  throw new Error(`The quote at ${start} is not closed`);
}

function readPlain(text: string, start: number): [field: string, end: number] {
  const end = /[,\r\n"]|$/g;
  end.lastIndex = start;
  const { index } = end.exec(text) as RegExpExecArray;
  if (text[index] === '"') throw new Error(`A quote inside a plain field at ${index}`);
  return [text.slice(start, index), index];
}
